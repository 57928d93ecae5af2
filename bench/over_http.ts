/** Contestants over HTTP, each in its own process. */
import { deepEqual } from "node:assert/strict";
import { resultOf, said } from "./contestant.ts";
import { alone, compared, rate, type Table } from "./figures.ts";
import { Connection } from "./http/connection.ts";
import { echo, type HttpWork, type Throughput, throughput } from "./http/load.ts";
import { type Name, names } from "./http/names.ts";
import { start } from "./http/process.ts";
import { inTurns, type Plan } from "./measure.ts";

/** What 16 connections get done, what that takes the server, and how busy the client is meanwhile. */
export const measureHttp = async (
  id: string,
  name: string,
  work: HttpWork,
  contestants: ReadonlyArray<Name>,
  { rounds, slice, warmup }: Plan,
): Promise<ReadonlyArray<Table>> => {
  const servers = await Promise.all(contestants.map(start));
  for (const { name, port } of servers) {
    const connection = await Connection.open(port);
    const answer = said(resultOf(await work(port)(connection)));
    deepEqual(answer, id === "c" ? "Hello, world" : "Ada has order A-1", `${name} answers something else`);
    connection.close();
  }
  for (const server of servers) await throughput(server, work, warmup);
  const done = await inTurns(servers, rounds, (server) => throughput(server, work, slice * 5));
  for (const server of servers) await server.stop();
  const every = (value: keyof Throughput): ReadonlyMap<string, ReadonlyArray<number>> =>
    new Map(Array.from(done, ([name, all]) => [name, all.flatMap((one) => one[value] ?? [])]));
  const worked = every("work");
  const known = Array.from(worked.values()).every((all) => all.length === rounds);
  return [
    compared(id, `${name} over HTTP, 16 connections`, rate, every("rate")),
    ...known ? [compared(id, `${name} over HTTP: processor time of the server`, "µs", worked)] : [],
    alone(id, `${name} over HTTP: the client was busy for`, "% of the time", every("busy")),
  ];
};

/** Milliseconds from the start of a fresh process to its first answer. */
const firstAnswer = async (name: Name): Promise<number> => {
  const begin = performance.now();
  const server = await start(name);
  const connection = await Connection.open(server.port);
  await echo(server.port)(connection);
  const took = performance.now() - begin;
  connection.close();
  await server.stop();
  return took;
};

/** How long fresh processes take to their first answers. */
export const measureStarts = async (contestants: ReadonlyArray<Name>, repeats: number): Promise<Table> => {
  const all = contestants.map((name) => ({ name: names[name], start: () => firstAnswer(name) }));
  // Caches of the file system, and of what a runtime compiles
  for (const { start } of all) await start();
  const times = await inTurns(all, repeats, ({ start }) => start());
  return compared("f", "start of a fresh process to its first answer", "ms", times);
};
