/** A contestant as a process. */
import * as Runtime from "../runtime.ts";
import { type Name, names } from "./names.ts";

/** A server that runs. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

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
    stop: () => {
      process.kill("SIGKILL");
      return ended;
    },
  };
};
