/** The official SDK on `node:http`, by its own adapter and behind the guards that its documentation puts in front of it. */
import type { RequestListener } from "node:http";
import type { McpHttpHandler } from "@modelcontextprotocol/server";

type Guard = (...args: Parameters<RequestListener>) => boolean;

interface Adapter {
  readonly toNodeHandler: (handler: McpHttpHandler) => (...args: Parameters<RequestListener>) => Promise<void>;
  readonly localhostHostValidation: () => Guard;
  readonly localhostOriginValidation: () => Guard;
}

// By a name that is made up here: the package is there on Node alone
const adapter: Adapter = await import(["@modelcontextprotocol", "node"].join("/"));

/** A listener for `handler`. */
export const guarded = (handler: McpHttpHandler): RequestListener => {
  const validHost = adapter.localhostHostValidation();
  const validOrigin = adapter.localhostOriginValidation();
  const serve = adapter.toNodeHandler(handler);
  return (request, response) => {
    if (validHost(request, response) && validOrigin(request, response)) void serve(request, response);
  };
};
