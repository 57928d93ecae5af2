/** What calls, abandoned flows and idle sessions leave in the heap: `deno run -A --v8-flags=--expose-gc`, prints JSON. */
import { McpServer } from "@needful/mcp";
import { type Contestant, send, toolCall } from "../contestant.ts";
import { server, services } from "../contestants/needful.ts";

/** Bytes in use, after what can be collected is. */
const heap = async (): Promise<number> => {
  const { gc } = globalThis as unknown as { readonly gc: () => void };
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
  return Deno.memoryUsage().heapUsed;
};

const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true, legacy: { max: 2_000 } });
const contestant: Contestant = { name: "needful", fetch, close: dispose };

/** Bytes that `work`, done `count` times, adds to the heap. */
const growth = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  for (let i = 0; i < 20_000; i++) await work();
  const before = await heap();
  for (let i = 0; i < count; i++) await work();
  return await heap() - before;
};

const calls = await growth(100_000, () => send(contestant, toolCall("echo", { text: "Hello, world" })));
const flows = await growth(20_000, () => send(contestant, toolCall("greet", { order: "A-1" })));

let id = 0;
const initialize = async (): Promise<string | null> => {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "bench", version: "1.0.0" },
  };
  const response = await fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "host": "localhost",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "initialize", params }),
    }),
  );
  await response.text();
  return response.headers.get("mcp-session-id");
};

const sessions = 1_000;
for (let i = 0; i < 500; i++) await initialize();
const before = await heap();
for (let i = 0; i < sessions; i++) await initialize();
const session = (await heap() - before) / sessions;

console.log(JSON.stringify({ calls, flows, session }));
await dispose();
Deno.exit(0);
