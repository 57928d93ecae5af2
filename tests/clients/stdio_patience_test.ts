/** People take longer than clients of older revisions wait by default (B32). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, test } from "node:test";
import type { Reply } from "./client.ts";
import { connectNew, connectOld, type Host } from "./stdio_clients.ts";

const file = "tests/clients/stdio_patient.ts";

/** The client's limit, and five times as long: what a person takes. Scaled down from a minute. */
const timeout = 800;
const pause = 5 * timeout;

const ada: Reply = { action: "accept", content: { name: "Ada" } };
const slowly = (): Promise<Reply> => new Promise((resolve) => setTimeout(resolve, pause, ada));

const clients: ReadonlyArray<readonly [string, (elicit: () => Reply | Promise<Reply>) => Promise<Host>]> = [
  ["client 2.x", (elicit) => connectNew(file, { elicit, sample: "", roots: [] }, "legacy")],
  ["sdk 1.x", (elicit) => connectOld(file, { elicit, sample: "", roots: [] })],
];

describe("a person who takes five times as long as the client's limit", () => {
  for (const [client, connect] of clients) {
    test(`layerStdio: completes the call where progress resets the limit, with ${client}`, async () => {
      const host = await connect(slowly);
      try {
        assertEquals(await host.call("ask", {}, { timeout, progress: true }), "Hello Ada");
        assertEquals(await host.call("count"), "0");
      } finally {
        await host.close();
      }
    });

    test(`layerStdio: interrupts the handler where ${client} gives up, and serves the next call`, async () => {
      let turn = 0;
      const host = await connect(() => turn++ === 0 ? slowly() : ada);
      try {
        const error = await assertRejects(() => host.call("ask", {}, { timeout, progress: false }));
        assert(/timed out/i.test(error.message), error.message);
        assertEquals(await host.call("count"), "1");
        assertEquals(await host.call("ask"), "Hello Ada");
        assertEquals(turn, 2);
      } finally {
        await host.close();
      }
    });
  }
});
