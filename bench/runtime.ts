/** What differs between Deno, Bun and Node, as far as the benchmark is concerned. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The runtimes that are measured. */
export type Runtime = "deno" | "bun" | "node";

const { versions } = process as { readonly versions: { readonly [name: string]: string | undefined } };

/** The one that this runs on. */
export const runtime: Runtime = versions["deno"] !== undefined
  ? "deno"
  : versions["bun"] !== undefined
  ? "bun"
  : "node";

const titles = { deno: "Deno", bun: "Bun", node: "Node" };

/** Its name and its version. */
export const title: string = `${titles[runtime]} ${versions[runtime]}`;

const options: { readonly [K in Runtime]: { readonly always: ReadonlyArray<string>; readonly gc: string } } = {
  deno: { always: ["run", "-A", "--no-check"], gc: "--v8-flags=--expose-gc" },
  bun: { always: [], gc: "--expose-gc" },
  node: { always: [], gc: "--expose-gc" },
};

/** A program that runs, and is talked to by lines. */
export type Program = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a program of this folder, named without its ending, on the same runtime. */
export const start = (program: string, args: ReadonlyArray<string>, gc: boolean = false): Program => {
  const ending = import.meta.url.slice(import.meta.url.lastIndexOf("."));
  const file = fileURLToPath(new URL(`${program}${ending}`, import.meta.url));
  const { always, gc: collectable } = options[runtime];
  return spawn(process.execPath, [...always, ...gc ? [collectable] : [], file, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, MCP_STATE_SECRET: "0123456789abcdef0123456789abcdef" },
  });
};

/** Collects garbage, in a program that was started so that it can. */
export const collect = (): void => {
  const { Bun, gc } = globalThis as {
    readonly Bun?: { readonly gc: (sync: boolean) => void };
    readonly gc?: () => void;
  };
  if (Bun !== undefined) Bun.gc(true);
  else if (gc !== undefined) gc();
  else throw new Error("Garbage cannot be collected here");
};
