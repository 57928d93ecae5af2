/** What work leaves in the heap. Started so that garbage can be collected; prints JSON. */
import process from "node:process";
import { McpServer } from "@needful/mcp";
import { type Contestant, exchange, toolCall } from "../contestant.ts";
import { server, services } from "../contestants/needful.ts";
import { collect } from "../runtime.ts";
import { end, open } from "./legacy.ts";
import type { Growth, Report } from "./memory.ts";

/** Bytes in use, after what can be collected is. */
const heap = async (): Promise<number> => {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  return process.memoryUsage().heapUsed;
};

const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true, legacy: { max: 2_000 } });
const contestant: Contestant = { name: "needful", fetch, close: dispose };

const growth = async (name: string, count: number, work: () => Promise<unknown>): Promise<Growth> => {
  const some = async (times: number): Promise<number> => {
    for (let i = 0; i < times; i++) await work();
    return await heap();
  };
  // Compilers take their time, and their space
  const before = await some(20_000);
  const half = await some(count / 2) - before;
  return { name, count, half, all: await some(count / 2) - before };
};

const growths = [
  await growth("calls", 100_000, () => exchange(contestant, toolCall("echo", { text: "Hello, world" }))),
  await growth("abandoned flows", 20_000, () => exchange(contestant, toolCall("greet", { order: "A-1" }))),
  await growth("ended sessions", 20_000, async () => end(fetch, await open(fetch))),
];

const sessions = 1_000;
for (let i = 0; i < sessions / 2; i++) await open(fetch);
const before = await heap();
for (let i = 0; i < sessions; i++) await open(fetch);
const report: Report = { growths, session: (await heap() - before) / sessions };

console.log(JSON.stringify(report));
await dispose();
process.exit(0);
