/** What calls, abandoned flows and idle sessions leave in the heap, in a process that may collect garbage. */
import { alone, type Table } from "../figures.ts";

const kibibytes = (bytes: number): ReadonlyArray<number> => [bytes / 1_024];

/** KiB that are left after 100,000 calls and after 20,000 abandoned flows, and KiB for each idle session. */
export const measureMemory = async (): Promise<Table> => {
  const program = new URL("memory_program.ts", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--v8-flags=--expose-gc", program],
    stdout: "piped",
  }).output();
  const { calls, flows, session } = JSON.parse(new TextDecoder().decode(stdout));
  const values = new Map([
    ["needful, 100,000 calls", kibibytes(calls)],
    ["needful, 20,000 abandoned flows", kibibytes(flows)],
    ["needful, one idle session", kibibytes(session)],
  ]);
  return alone("g", "what is left in the heap by", "KiB", values);
};
