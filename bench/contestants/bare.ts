/**
 * The least that a handler can do: parse, dispatch, stringify, and sign what the client brings back. What the protocol's
 * checks cost is measured against it.
 */
import { createHmac } from "node:crypto";
import type { Make } from "../contestant.ts";

const sign = (payload: string): string =>
  createHmac("sha256", "0123456789abcdef0123456789abcdef").update(payload).digest("base64url");

const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const who = { method: "elicitation/create", params: { message: "Who is it?", requestedSchema } };

const text = (text: string) => ({ resultType: "complete", content: [{ type: "text", text }] });

interface Params {
  readonly name: string;
  readonly arguments: { readonly text: string; readonly order: string };
  readonly requestState?: string;
  readonly inputResponses?: { readonly who: { readonly content: { readonly name: string } } };
}

const act = ({ arguments: args, inputResponses, name, requestState }: Params): object => {
  if (name === "echo") return text(args.text);
  if (requestState === undefined) {
    const payload = btoa(JSON.stringify(args));
    const state = `${payload}.${sign(payload)}`;
    return { resultType: "input_required", inputRequests: { who }, requestState: state };
  }
  const [payload = "", signature] = requestState.split(".");
  if (sign(payload) !== signature) return text("Invalid");
  return text(`${inputResponses?.who.content.name} has order ${JSON.parse(atob(payload)).order}`);
};

/** The reply to a message. */
export const reply = ({ id, params }: { readonly id: unknown; readonly params: Params }): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: act(params) });

/** A handler without any check but the signature. */
export const make: Make = () =>
  Promise.resolve({
    name: "bare handler",
    fetch: async (request) =>
      new Response(reply(await request.json()), { headers: { "content-type": "application/json" } }),
    close: () => Promise.resolve(),
  });

/** Headers that the checks of a server are made of. */
const checked = [
  "origin",
  "host",
  "accept",
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
];

/** Reads them, from whatever gives a header by its name. */
export const readHeaders = (header: (name: string) => unknown): void => checked.forEach(header);

/**
 * The bare handler with what a host makes of the reading that checks need, and nothing of the checks: it reads the headers
 * and the bytes of the body, and says that its replies are not to be stored.
 */
export const makeReading: Make = () =>
  Promise.resolve({
    name: "bare handler that reads the headers",
    fetch: async (request) => {
      readHeaders((name) => request.headers.get(name));
      const body = new TextDecoder().decode(await request.arrayBuffer());
      const response = new Response(reply(JSON.parse(body)), { headers: { "content-type": "application/json" } });
      // What Deno sends sooner than a second header in the constructor
      response.headers.set("cache-control", "no-store");
      return response;
    },
    close: () => Promise.resolve(),
  });
