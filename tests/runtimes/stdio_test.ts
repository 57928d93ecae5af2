/** The suite for standard input and output, on every runtime, and what Deno alone has. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { call, modern } from "../transport/stdio_kit.ts";
import { shell, type Wire } from "./suite/process.ts";
import { runtimes } from "./suite/runtimes.ts";
import { suite } from "./suite/stdio.ts";

for (const runtime of runtimes) suite(runtime);

describe("the example", () => {
  const program = [Deno.execPath(), "run", "--no-prompt", "examples/stdio.ts"];

  test("layerStdio: serves the examples to a host that grants nothing", async () => {
    const messages = [modern(1, "tools/list"), call(2, "whoami")].map((message) => `'${JSON.stringify(message)}'`);
    const { code, errors, lines } = await shell(`printf '%s\\n' ${messages.join(" ")} | $SERVER`, program);
    assertEquals([code, lines.map(({ id }: Wire) => id)], [0, [1, 2]], errors);
    assertEquals(lines[0].result.tools.map(({ name }: Wire) => name), ["whoami", "refund", "trip", "wizard", "sum"]);
    assertEquals(Object.keys(lines[1].result.inputRequests), ["username"]);
  });

  test("layerStdio: ends with its input where there is none", async () => {
    const { code, lines } = await shell("$SERVER < /dev/null", program);
    assertEquals([code, lines], [0, []]);
  });
});
