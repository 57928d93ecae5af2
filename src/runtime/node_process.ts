/** The process, as Node and Bun have it. */
import nodeProcess from "node:process";
import type { Environment } from "./instance.ts";
import { channel } from "./node_stdio.ts";
import type { Process } from "./program.ts";

/** A variable of the environment. */
export const environment: Environment = (variable) => nodeProcess.env[variable];

/** This process. */
export const process: Process = {
  signals: ["SIGINT", "SIGTERM"],
  on: (signal, listener) => void nodeProcess.on(signal, listener),
  off: (signal, listener) => void nodeProcess.off(signal, listener),
  exit: (code) => nodeProcess.exit(code),
  channel,
};
