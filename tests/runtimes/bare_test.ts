/** `toWebHandler` on every runtime, without a runtime's layer. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { runtimes } from "./suite/runtimes.ts";
import { execute } from "./workshop.ts";

const hello = JSON.stringify([{ type: "text", text: "Hello Ada" }]);

describe("toWebHandler", () => {
  for (const runtime of runtimes) {
    test(`fetch: serves a flow on ${runtime.name}, and leaves nothing behind that keeps a process alive (B61)`, async () => {
      const [command, ...args] = await runtime.command("bare");
      const env = { MCP_STATE_SECRET: "a key for tests that is long enough" };
      const begun = performance.now();
      const { code, output } = await execute(command!, args, { env });
      assertEquals([code, output], [0, `${hello}\n${hello}\n`]);
      // A comment would have been due after 15 seconds
      assertEquals(performance.now() - begun < 14_000, true);
    });
  }
});
