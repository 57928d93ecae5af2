/** Contestants as processes, and how fast they are. */
import { toolCall } from "../contestant.ts";
import { bytesOf, Connection } from "./connection.ts";
import type { Contestant } from "./server.ts";

/** What the tables call them. */
const names: { readonly [K in Contestant]: string } = {
  needful: "needful",
  sdk: "official SDK",
  effect: "Effect's McpServer",
  bare: "bare handler",
};

/** A server that runs. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts the server of `contestant`, and resolves once it listens. */
export const start = async (contestant: Contestant): Promise<Server> => {
  const program = new URL("server.ts", import.meta.url).pathname;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, contestant],
    stdout: "piped",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!/port \d+\n/.test(said)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The server of ${contestant} did not start: ${said}`);
    said += value;
  }
  return {
    name: names[contestant],
    port: Number(/port (\d+)/.exec(said)![1]),
    stop: async () => {
      process.kill("SIGKILL");
      await reader.cancel();
      await process.status;
    },
  };
};

/** A piece of work over HTTP; gives what the client saw. */
export type HttpWork = (connection: Connection, port: number) => Promise<string>;

const resultOf = (body: string): { readonly [member: string]: unknown } => {
  const { result } = JSON.parse(body);
  if (result === undefined) throw new Error(body);
  return result;
};

const echoRequest = toolCall("echo", { text: "Hello, world" });

/** One `tools/call`. Only its first reply is looked into: reading JSON is work for the client. */
export const echo: HttpWork = (connection, port) => connection.exchange(bytesOf(echoRequest, port));

const greet = { order: "A-1" };
const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
const greetRequest = toolCall("greet", greet);

/** A form, and the call again with its answer and the sealed state. */
export const flow: HttpWork = async (connection, port) => {
  const { requestState } = resultOf(await connection.exchange(bytesOf(greetRequest, port)));
  return await connection.exchange(bytesOf(toolCall("greet", greet, { inputResponses, requestState }), port));
};

/** What a body says, for comparison. */
export const said = (body: string): unknown => {
  const { content, structuredContent } = resultOf(body) as {
    readonly content?: ReadonlyArray<{ readonly text: string }>;
    readonly structuredContent?: unknown;
  };
  return structuredContent ?? content?.[0]?.text;
};

const connections = 16;

/** Pieces of work that `server` does a second, asked by 16 connections at once for `milliseconds`. */
export const throughput = async (
  { port }: Server,
  work: HttpWork,
  milliseconds: number,
): Promise<number> => {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const start = performance.now();
  let pieces = 0;
  await Promise.all(open.map(async (connection) => {
    while (performance.now() - start < milliseconds) {
      await work(connection, port);
      pieces++;
    }
    connection.close();
  }));
  return pieces * 1000 / (performance.now() - start);
};

/** Milliseconds from the start of a fresh process to its first answer. */
export const firstAnswer = async (contestant: Contestant): Promise<number> => {
  const begin = performance.now();
  const server = await start(contestant);
  const connection = await Connection.open(server.port);
  await echo(connection, server.port);
  const took = performance.now() - begin;
  connection.close();
  await server.stop();
  return took;
};
