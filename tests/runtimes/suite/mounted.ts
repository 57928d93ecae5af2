/** What is mounted in other people's applications, and how the tests talk to it. Names no runtime. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Auth, Call, McpServer, Need, Tool } from "@needful/mcp";
import { asks, call, completes, FORM, type Json, M, META, send, type Target } from "../../cases/wire.ts";

/** What an application gives: replies to requests. */
export type Fetch = (request: Request) => Promise<Response>;

/** A server, and how the handlers that waited ended. */
export interface Shop {
  readonly ended: ReadonlyArray<string>;
  readonly server: McpServer.McpServer;
}

/** A server whose tools ask, wait and say who calls. */
export const shop = (): Shop => {
  const ended: Array<string> = [];
  const ask = Tool.make("ask", {
    description: "Asks for a name",
    handler: () =>
      Effect.map(
        Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) }),
        ({ name }) => `Hello ${name}`,
      ),
  });
  const me = Tool.make("me", {
    description: "Says who calls",
    handler: () => Effect.map(Auth.Principal, ({ subject }) => subject),
  });
  const wait = Tool.make("wait", {
    description: "Reports progress, and does not end",
    handler: () =>
      Effect.as(
        Effect.andThen(
          Call.progress({ progress: 1 }),
          Effect.onInterrupt(Effect.never, () => Effect.sync(() => void ended.push("interrupted"))),
        ),
        "",
      ),
  });
  return { ended, server: McpServer.make({ name: "shop", version: "1", tools: [ask, me, wait] }) };
};

/** Where the server is mounted. */
export const url = "http://localhost/mcp";

/** An application, to be talked to. */
export const at = (fetch: Fetch): Target => ({ url, fetch });

/** What a retry of `ask` carries. */
export const answered = (state: string, name: string): Json => ({
  inputResponses: { who: { action: "accept", content: { name } } },
  requestState: state,
});

/** A whole call of `ask`. */
export const flow = async (target: Target, changes: Record<string, string> = {}): Promise<void> => {
  const { state } = asks(await send(target, call("ask", {}, FORM), changes), "who");
  completes(await send(target, call("ask", {}, FORM, answered(state, "Ada")), changes), "Hello Ada");
};

/** Reads the first event of a stream, and leaves. */
export const peek = async (fetch: Fetch, changes: Record<string, string> = {}): Promise<string> => {
  const token = { _meta: { ...META()._meta, progressToken: 1 } };
  const { body, headers } = M(call("wait", {}, {}, token), changes);
  const response = await fetch(new Request(url, { method: "POST", headers, body }));
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
};

/** Waits until something is done. */
export const eventually = async (done: () => boolean): Promise<void> => {
  for (let turns = 0; !done(); turns++) {
    if (turns > 2_000) throw new Error("It did not happen within about two seconds");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};
