/**
 * A bare handler, as on any Web-standard host, with WebCrypto. It is never disposed of: what keeps the process alive after
 * the last reply would keep such a host alive, or break its rules. Names no runtime.
 */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, McpServer, Need, Tool } from "@needful/mcp";

const ask = Tool.make("ask", {
  description: "Reports progress, and asks for a name",
  handler: () =>
    Effect.gen(function* () {
      yield* Call.progress({ progress: 1 });
      yield* Effect.sleep(20);
      const { name } = yield* Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) });
      return `Hello ${name}`;
    }),
});

const { fetch } = McpServer.toWebHandler(McpServer.make({ name: "bare", version: "1", tools: [ask] }));

const call = async (more: object, accept: string): Promise<Record<string, unknown>> => {
  const params = {
    name: "ask",
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      progressToken: 1,
    },
    ...more,
  };
  const response = await fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        accept,
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "ask",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    }),
  );
  const text = await response.text();
  const last = text.trim().split("\n\n").at(-1)!.replace(/^data: /, "");
  return JSON.parse(last).result;
};

for (const accept of ["application/json", "text/event-stream"]) {
  const { requestState } = await call({}, accept);
  const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
  const result = await call({ requestState, inputResponses }, accept);
  console.log(JSON.stringify(result["content"]));
}
