/** Servers that a host launches: real processes, real pipes (2026-07-28, basic/transports, stdio; B56, B61, B64, B65, B67). */
import { readFileSync } from "node:fs";
import process from "node:process";
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { call, cancelled, legacy, modern, notification, textOf } from "../../transport/stdio_kit.ts";
import { type Piped, shell as shellOf, type Wire, withProcess as withProcessOf } from "./process.ts";
import type { Runtime } from "./runtimes.ts";

/** As an argument of `printf`. */
const quoted = (...messages: ReadonlyArray<Wire>): string =>
  messages.map((message) => `'${JSON.stringify(message)}'`).join(" ");

const idsOf = (lines: ReadonlyArray<Wire>): ReadonlyArray<unknown> => lines.map(({ id }) => id);

const strings = [
  "é",
  "日本語",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "\u2028\u2029\u0085",
  "\ufeffmark\ufeff",
  "\u0000\u001f\u007f",
  "\ud800 alone, \udc00 alone, \udc00\ud800 the wrong way round",
  "\r\n, \n and \r",
  '"\\',
];

const peak = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1_024;

/** The suite for one runtime. */
export const suite = (runtime: Runtime): void => {
  const withProcess = async (use: (piped: Piped) => Promise<void>): Promise<void> =>
    withProcessOf(await runtime.command(`stdio_${runtime.entry}`), use);

  describe(`standard streams on ${runtime.name}`, () => {
    test("layerStdio: answers a discover and a slow call whose input has ended, and exits with 0 (B67)", async () => {
      const messages = quoted(modern(1, "server/discover"), call(2, "slow", { millis: 300 }));
      const { code, errors, lines } = await shellOf(
        `printf '%s\\n' ${messages} | $SERVER`,
        await runtime.command(`stdio_${runtime.entry}`),
      );
      assertEquals([code, idsOf(lines)], [0, [1, 2]], errors);
      assertEquals(lines[0].result.supportedVersions, ["2026-07-28"]);
      assertEquals(textOf(lines[1]), "slept");
    });

    test("layerStdio: ends with its input where there is none, and where standard error goes nowhere", async () => {
      const program = await runtime.command(`stdio_${runtime.entry}`);
      for (const command of ["$SERVER < /dev/null", "$SERVER < /dev/null 2> /dev/null", "$SERVER < /dev/null 2>&-"]) {
        const { code, lines } = await shellOf(command, program);
        assertEquals([code, lines], [0, []], command);
      }
    });

    test("layerStdio: echoes every kind of character, written byte by byte (B64)", () =>
      withProcess(async ({ end, exit, next, write }) => {
        for (const [id, text] of [...strings.entries(), [strings.length, strings.join("")] as const]) {
          // Once escaped as far as JSON can, and once as raw as it may be
          const plain = JSON.stringify(call(id, "echo", { text }));
          const escaped = plain.replace(
            /[^\x20-\x7e]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          );
          for (const line of [plain, escaped]) {
            for (const byte of new TextEncoder().encode(`${line}\r\n`)) await write(new Uint8Array([byte]));
            const message = await next();
            assertEquals([message.id, textOf(message)], [id, text]);
          }
        }
        assertEquals(await end(), []);
        assertEquals(await exit, 0);
      }));

    test("layerStdio: writes no byte-order mark, and ends lines with 0x0A alone (B65)", () =>
      withProcess(async ({ child, send }) => {
        const bytes: Array<number> = [];
        child.stdout!.removeAllListeners("data").on(
          "data",
          (text: string) => bytes.push(...new TextEncoder().encode(text)),
        );
        send(`\ufeff${JSON.stringify(call(1, "echo", { text: "\u2028\r\n" }))}\r`, call(2, "echo", { text: "b" }));
        while (bytes.filter((byte) => byte === 10).length < 2) {
          await new Promise((resolve) => child.stdout!.once("data", resolve));
        }
        assertEquals(bytes[0], "{".charCodeAt(0));
        assertEquals(bytes.includes(13), false);
        assertEquals(bytes.at(-1), 10);
      }));

    test("layerStdio: takes a message of 15 MiB, and gives one back", () =>
      withProcess(async ({ end, exit, next, send }) => {
        const text = "0123456789abcde\n".repeat(15 * 65_536 - 100);
        send(call(1, "size", { text }), call(2, "echo", { text }));
        assertEquals(textOf(await next()), String(text.length));
        assert(textOf(await next()) === text);
        assertEquals(await end(), []);
        assertEquals(await exit, 0);
      }));

    test("layerStdio: refuses a line of 64 MiB, and one of 256 MiB, in bounded memory, and serves the next", {
      skip: process.platform !== "linux",
    }, () =>
      withProcess(async ({ child, next, send, write }) => {
        send(call(0, "echo", { text: "warm" }));
        await next();
        const before = peak(child.pid!);
        const chunk = new Uint8Array(65_536).fill(97);
        for (const mib of [64, 256]) {
          for (let i = 0; i < mib * 16; i++) await write(chunk);
          send("", call(mib, "echo", { text: "next" }));
          const refused = await next();
          assertEquals([Object.hasOwn(refused, "id"), refused.error.code], [false, -32600]);
          assertStringIncludes(refused.error.message, `${16 * 1_048_576} bytes`);
          const served = await next();
          assertEquals([served.id, textOf(served)], [mib, "next"]);
        }
        // Less than the line alone: the buffer takes the limit and half as much, the rest is what the runtime lets lie about
        const grown = peak(child.pid!) - before;
        assert(grown < 160 * 1_048_576, `The process grew by ${grown} bytes`);
      }));

    test("layerStdio: cancels a running call, says nothing more of it, and ends at once with its input (B56)", () =>
      withProcess(async ({ end, errors, exit, next, send }) => {
        send(call(7, "slow", { millis: 600_000 }), call(8, "echo", { text: "runs" }));
        assertEquals((await next()).id, 8);
        send(cancelled("7"), cancelled(7), call(9, "echo", { text: "next" }));
        assertEquals((await next()).id, 9);
        assertEquals(await end(), []);
        assertEquals(await exit, 0);
        assertStringIncludes(errors(), "interrupted");
      }));

    test("layerStdio: cancels a call that asks, in a conversation (B56)", () =>
      withProcess(async ({ end, exit, next, send }) => {
        const opening = {
          protocolVersion: "2025-06-18",
          capabilities: { elicitation: {} },
          clientInfo: { name: "t", version: "1" },
        };
        send(legacy(0, "initialize", opening), notification("initialized"), legacy(1, "tools/call", { name: "ask" }));
        assertEquals((await next()).result.protocolVersion, "2025-06-18");
        const question = await next();
        assertEquals(question.method, "elicitation/create");
        send(cancelled(1));
        const { method, params } = await next();
        assertEquals([method, params.requestId], ["notifications/cancelled", question.id]);
        // And one that is left open is no reason to stay
        send(legacy(2, "tools/call", { name: "ask" }));
        await next();
        const [last] = await end();
        assertEquals([last.id, last.result.isError], [2, true]);
        assertEquals(await exit, 0);
      }));

    test("layerStdio: keeps standard output for messages, whatever a handler prints (B67)", () =>
      withProcess(async ({ end, errors, exit, send }) => {
        send(call(1, "print"));
        const lines = await end();
        assertEquals(lines.map(textOf), ["printed"]);
        assertEquals(await exit, 0);
        const ways = [
          "by log",
          "by info",
          "by debug",
          "by dir",
          "by dirxml",
          "by table",
          "by count: 1",
          "by group",
          "by time: ",
          "by trace",
          "by process.stdout\n",
          ...(runtime.entry === "bun" ? ["by console.write\n"] : []),
          ...(runtime.entry === "deno" ? ["by Deno.stdout\n", "by Deno.stdout later\n"] : []),
          "by Effect",
          "by what is needed",
          "by Effect before",
        ];
        for (const way of ways) assertStringIncludes(errors(), way);
      }));

    test("layerStdio: exits quietly when nobody reads what it writes, and interrupts its calls (B67)", () =>
      withProcess(async ({ child, errors, exit, next, send }) => {
        send(call(1, "slow", { millis: 600_000 }), call(2, "echo", { text: "runs" }));
        assertEquals((await next()).id, 2);
        child.stdout!.destroy();
        // The input stays open: it is not its end that ends the process
        send(call(3, "echo", { text: "x" }), call(4, "echo", { text: "x" }));
        assertEquals(await exit, 0);
        assertStringIncludes(errors(), "interrupted");
        assertEquals(/error|broken/i.test(errors()), false, errors());
      }));

    test("layerStdio: does not stay for what a handler left running (B67)", () =>
      withProcess(async ({ end, exit, next, send }) => {
        send(call(1, "linger"));
        assertStringIncludes(textOf(await next()), "interval");
        assertEquals(await end(), []);
        assertEquals(await exit, 0);
      }));

    test("layerStdio: says so and ends where calls outlast the end of the input, even if they cannot be interrupted", () =>
      withProcess(async ({ end, exit, send }) => {
        send(call(1, "slow", { millis: 600_000 }), call(2, "stubborn"));
        const lines = await end();
        assertEquals(lines.map(({ error, id }) => [id, error.message]), [
          [1, "The server is stopping"],
          [2, "The server is stopping"],
        ]);
        assertEquals(await exit, 0);
      }));

    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      test(
        `layerStdio: ends in order at ${signal} (B67)`,
        { skip: process.platform === "win32" },
        () =>
          withProcess(async ({ child, errors, exit, next, send }) => {
            send(modern("s", "subscriptions/listen", { notifications: { toolsListChanged: true } }));
            send(call(1, "slow", { millis: 600_000 }), call(2, "echo", { text: "runs" }));
            assertEquals((await next()).method, "notifications/subscriptions/acknowledged");
            assertEquals((await next()).id, 2);
            // Not `child.kill`: with it the exit code is not told
            process.kill(child.pid!, signal);
            const [end, over, refused] = [await next(), await next(), await next()];
            assertEquals([end.id, end.result.resultType, over.method], ["s", "complete", "notifications/cancelled"]);
            assertEquals([refused.id, refused.error.message], [1, "The server is stopping"]);
            assertEquals(await exit, 0);
            assertStringIncludes(errors(), "interrupted");
          }),
      );
    }
  });
};
