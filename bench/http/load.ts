/** Work over HTTP, and how much of it a server does. */
import process from "node:process";
import { awaiting, textOf, toolCall } from "../contestant.ts";
import { Connection, wire } from "./connection.ts";

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

/** What a server did, and how the client was while it did so. */
export interface Throughput {
  /** Pieces of work a second. */
  readonly rate: number;
  /** Part of the time that the client had work to do, in percent: near 100 it is the client that is measured. */
  readonly busy: number;
}

const connections = 16;

/** What a server does for 16 connections at once in `milliseconds`. */
export const throughput = async (port: number, work: HttpWork, milliseconds: number): Promise<Throughput> => {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const piece = work(port);
  let pieces = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(open.map(async (connection) => {
    while (performance.now() - start < milliseconds) {
      await piece(connection);
      pieces++;
    }
  }));
  const took = performance.now() - start;
  const { system, user } = process.cpuUsage(cpu);
  for (const connection of open) connection.close();
  return { rate: pieces * 1_000 / took, busy: (user + system) / 10 / took };
};
