/** A contestant as a process. */
import { readFileSync } from "node:fs";
import * as Runtime from "../runtime.ts";
import { type Name, names } from "./names.ts";

/** A server that runs. */
export interface Server {
  readonly name: string;
  readonly port: number;
  /** Microseconds of processor time that it has had; undefined where the system does not tell in `/proc`. */
  readonly worked: () => number | undefined;
  readonly stop: () => Promise<void>;
}

/** How long the clock ticks by which Linux counts, in microseconds. */
const tick = 10_000;

const worked = (pid: number | undefined): number | undefined => {
  try {
    // After the name of the program, which ends with the last bracket, the 12th and 13th field are time in it and in the system
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tick;
  } catch {
    return undefined;
  }
};

/** Starts the server of a contestant, and resolves once it listens. */
export const start = async (name: Name): Promise<Server> => {
  const process = Runtime.start("http/server", [name]);
  const ended = new Promise<void>((resolve) => process.once("close", () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    let said = "";
    process.stdout.on("data", (chunk) => {
      const port = /port (\d+)\n/.exec(said += chunk)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    void ended.then(() => reject(new Error(`The server of ${name} did not start: ${said}`)));
  });
  return {
    name: names[name],
    port,
    worked: () => worked(process.pid),
    stop: () => {
      process.kill("SIGKILL");
      return ended;
    },
  };
};
