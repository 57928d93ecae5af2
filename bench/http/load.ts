/** Work over HTTP, and how much of it a server does. */
import process from "node:process";
import { awaiting, textOf, toolCall } from "../contestant.ts";
import { Connection, wire } from "./connection.ts";
import type { Server } from "./process.ts";

/** A piece of work for the server at `port`; gives the last reply. */
export type HttpWork = (port: number) => (connection: Connection) => Promise<string>;

/** One `tools/call`. */
export const echo: HttpWork = (port) => {
  const request = wire(toolCall("echo", { text: "Hello, world" }), port);
  return (connection) => connection.exchange(request);
};

const order = { order: "A-1" };
const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };

/** A form, and the call again with its answer and the sealed state. */
export const flow: HttpWork = (port) => {
  const first = wire(toolCall("greet", order), port);
  const last = awaiting((requestState) => toolCall("greet", order, { inputResponses, requestState }));
  return async (connection) => {
    const reply = await connection.exchange(first);
    const state = textOf(reply, "requestState");
    if (state === undefined) throw new Error(`No requestState: ${reply}`);
    return await connection.exchange(wire(last(state), port));
  };
};

/** What a server did, and what it took the two. */
export interface Throughput {
  /** Pieces of work a second. */
  readonly rate: number;
  /** Microseconds of processor time that one piece took the server, which no client can be blamed for. */
  readonly work: number | undefined;
  /** Part of the time that the client had work to do, in percent: near 100 the rate is the client's. */
  readonly busy: number;
}

const connections = 16;

/** What a server does for 16 connections at once in `milliseconds`. */
export const throughput = async (
  { port, worked }: Pick<Server, "port" | "worked">,
  work: HttpWork,
  milliseconds: number,
): Promise<Throughput> => {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const piece = work(port);
  let pieces = 0;
  const before = { client: process.cpuUsage(), server: worked() };
  const start = performance.now();
  await Promise.all(open.map(async (connection) => {
    while (performance.now() - start < milliseconds) {
      await piece(connection);
      pieces++;
    }
  }));
  const took = performance.now() - start;
  const { system, user } = process.cpuUsage(before.client);
  const after = worked();
  for (const connection of open) connection.close();
  return {
    rate: pieces * 1_000 / took,
    work: before.server === undefined || after === undefined ? undefined : (after - before.server) / pieces,
    busy: (user + system) / 10 / took,
  };
};
