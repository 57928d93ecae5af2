/** The official SDK, as its documentation serves a modern client: a server per request, state signed by its codec. */
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  inputRequired,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  McpServer,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Make } from "../contestant.ts";

const codec = createRequestStateCodec<{ readonly order: string }>({
  key: "0123456789abcdef0123456789abcdef",
  bind: (ctx) => ctx.mcpReq.method,
});

const Echo = z.object({ text: z.string() });
const Greet = z.object({ order: z.string() });
const Who = z.object({ name: z.string() });

const server = (more: number) => (): McpServer => {
  const server = new McpServer({ name: "bench", version: "1.0.0" }, { requestState: { verify: codec.verify } });
  server.registerTool(
    "echo",
    { description: "Says it again", inputSchema: Echo },
    ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  server.registerTool("greet", { description: "Asks who it is", inputSchema: Greet }, async ({ order }, ctx) => {
    const who = acceptedContent(ctx.mcpReq.inputResponses, "who", Who);
    if (who === undefined) {
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: "Who is it?", requestedSchema: Who }) },
        requestState: await codec.mint({ order }, ctx),
      });
    }
    const state = ctx.mcpReq.requestState<{ readonly order: string }>();
    return { content: [{ type: "text", text: `${who.name} has order ${state?.order}` }] };
  });
  for (let index = 0; index < more; index++) {
    server.registerTool(
      `tool_${index}`,
      { description: `Says it again, in way ${index}`, inputSchema: Echo },
      ({ text }) => ({ content: [{ type: "text", text }] }),
    );
  }
  return server;
};

/** `createMcpHandler`, which checks no `Host` and no `Origin`: what mounts it has to. */
export const handlerOf = (more: number): McpHttpHandler => createMcpHandler(server(more), { legacy: "reject" });

/** `createMcpHandler` behind the guards that its documentation puts in front of it. */
export const make: Make = (more = 0) => {
  const handler = handlerOf(more);
  const hosts = localhostAllowedHostnames();
  const origins = localhostAllowedOrigins();
  return Promise.resolve({
    name: "official SDK",
    fetch: async (request) =>
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins) ??
        await handler.fetch(request),
    close: handler.close,
  });
};
