/** Silence on every runtime, at the same time: it lasts longer than any runtime waits by itself. */
import { describe, test } from "node:test";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bytesOf, connect } from "../cases/socket.ts";
import { call, headers, META } from "../cases/wire.ts";
import { hosting, runtimes } from "./suite/runtimes.ts";

const seconds = 20;

describe("silence", () => {
  test(`stream and JSON: ${seconds} seconds without a byte do not end a reply`, async () => {
    const silences = runtimes.map((runtime) =>
      hosting(runtime, async (host) => {
        const port = Number(host.url.port);
        const ask = async (tool: string, params: object, changes: Record<string, string>) => {
          const body = call(tool, {}, {}, params as never);
          const socket = await connect(port);
          const sent = Object.entries(headers(body as never, { connection: "close", ...changes }));
          await socket.write(bytesOf(port, { headers: sent, body: JSON.stringify(body) }));
          return socket;
        };
        const stream = await ask("progress", { _meta: { ...META()._meta, progressToken: 1 } }, {});
        const json = await ask("wait", {}, { accept: "application/json" });
        assertStringIncludes(await stream.until("\n\n"), "notifications/progress");
        await host.until("waiting", 2);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        assertEquals(await host.events(), ["waiting", "waiting"], runtime.name);
        assertEquals(await host.release(), 2, runtime.name);
        assertStringIncludes(await stream.rest(), `"released"`);
        assertMatch(await json.rest(), /content-type: application\/json[^]*"released"/i);
        stream.close();
        json.close();
      }, { keepAlive: "10 minutes" })
    );
    await Promise.all(silences);
  });
});
