/** Sessions of older revisions over HTTP, on every runtime. */
import { after, before, describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { Client, type Fetch, outcome, tool } from "../../transport/legacy_kit.ts";
import { type Host, type Runtime, start } from "./runtimes.ts";

const there: Fetch = (request) => fetch(request);

/** The suite for one runtime. */
export const suite = (runtime: Runtime): void => {
  describe(`sessions on ${runtime.name}`, () => {
    let host: Host;
    before(async () => {
      host = await start(runtime, { keepAlive: "200 millis", stopWithin: "500 millis" });
    });
    after(() => host?.kill("SIGKILL"));

    const open = (revision = "2025-11-25"): Promise<Client> => Client.open(there, { revision, url: host.url.href });

    for (const revision of ["2025-11-25", "2025-06-18"]) {
      test(`ask: a question of ${revision} goes out on the stream of its call, and its answer comes in a request of its own`, async () => {
        const client = await open(revision);
        const stream = await client.stream(tool("ask"));
        const question = await stream.next();
        assertEquals([question.method, question.params.message], ["elicitation/create", "Who?"]);
        assertEquals(await client.accept(question, { name: "Ada" }), 202);
        assertEquals((await stream.next()).result.content[0].text, "Hello Ada");
        assertEquals(await stream.next(), undefined);
        assertEquals((await client.delete()).status, 204);
      });
    }

    test("resume: a stream whose connection was cut is taken up again by GET, behind what was seen", async () => {
      const client = await open();
      const stream = await client.stream(tool("ask"));
      const [prime, asked] = [await stream.event(), await stream.event()];
      assertEquals(prime!.message, undefined);
      await stream.leave();
      const resumed = await client.listen(prime!.id);
      const again = await resumed.next();
      assertEquals(again, asked!.message);
      assertEquals(await client.accept(again, { name: "Ada" }), 202);
      assertEquals((await resumed.next()).result.content[0].text, "Hello Ada");
      assertEquals(await resumed.next(), undefined);
    });

    test("disconnect: a call runs on when its client leaves", async () => {
      const client = await open();
      const stream = await client.stream(tool("wait"));
      await host.until("waiting");
      await stream.leave();
      assertEquals([await host.release(), (await host.events()).includes("interrupted")], [1, false]);
    });

    test("listen: a GET stream lives through silence, and ends when another takes over, or with the session", async () => {
      const client = await open();
      const first = await client.listen();
      const second = await client.listen();
      assertEquals(await first.next(), undefined);
      for (let text: string | undefined = ""; !text.includes(": keep-alive");) {
        text = await second.piece();
        assert(text !== undefined, "The stream ended");
      }
      assertEquals((await client.delete()).status, 204);
      assertEquals(await second.next(), undefined);
      assertEquals(outcome(await client.send(tool("echo", { arguments: { text: "x" } }))), "404/-32600");
    });

    test("stop: ends GET streams and calls that wait for an answer, and the process ends with 0", async () => {
      const client = await open();
      const listening = await client.listen();
      const asking = await client.stream(tool("ask"));
      await asking.next();
      host.kill("SIGTERM");
      const last = await asking.next();
      assertEquals(last.result?.isError ?? last.error !== undefined, true);
      assertEquals(await listening.next(), undefined);
      assertEquals(await host.ended, 0);
    });
  });
};
