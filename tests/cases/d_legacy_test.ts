/** Cases about clients of earlier revisions, over real connections: B19, B20, B22, B33, B39, B41 and B57. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import { Auth, Call, Catalog, McpServer, Need, Resource, Tool } from "@needful/mcp";
import { faultsOf } from "../messages.ts";
import { Client, request, tool } from "../transport/legacy_kit.ts";
import { askName, askPrompt, counter, drop, echo, saidText, slow } from "./fixtures.ts";
import { bothWays, overHttp } from "./serve.ts";
import { call, FORM, META, rpc, send, type Target } from "./wire.ts";

const open = ({ fetch, url }: Target, speech = {}): Promise<Client> => Client.open(fetch, { url, ...speech });

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const until = async (check: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 500 && !check(); turn++) await later(5);
  assert(check(), "It never came to that");
};

const text = ({ result }: { readonly result: { readonly content: ReadonlyArray<{ readonly text: string }> } }) =>
  result.content[0]!.text;

describe("B19: one handler for both eras", () => {
  test("B19: prompts and resources ask live as tools do, and their results are plain ones", () => {
    const runs = counter();
    const resource = Resource.make("ask://who", {
      name: "who",
      handler: () => Effect.map(Need.confirm("sure", "Sure?"), (sure) => `${sure}`),
    });
    const server = () =>
      McpServer.make({ name: "asks", version: "1", prompts: [askPrompt(runs)], resources: [resource] });
    return bothWays(server, async (target) => {
      const client = await open(target);
      const prompt = await client.stream(request("prompts/get", { name: "ask_name" }));
      const before = runs.of("prompt ask_name");
      await client.accept(await prompt.next(), { name: "Ada" });
      assertEquals((await prompt.next()).result, {
        description: "Asks for a name",
        messages: [{ role: "user", content: { type: "text", text: "Hello Ada" } }],
      });
      // The handler is not run again for an answer
      assertEquals(runs.of("prompt ask_name"), before);
      const read = await client.stream(request("resources/read", { uri: "ask://who" }));
      await client.accept(await read.next(), { ok: true });
      assertEquals((await read.next()).result, { contents: [{ uri: "ask://who", text: "true" }] });
      const refused = await client.stream(request("prompts/get", { name: "ask_name" }));
      await client.answer(await refused.next(), { action: "decline" });
      const { error } = await refused.next();
      assertEquals([error.code, error.data], [-32603, { key: "who", action: "decline" }]);
    });
  });

  test("B19: a handler that is never satisfied ends at the round cap, in an error that names what it still asks", () => {
    const never = Tool.make("never", {
      description: "Wants ever more",
      handler: Effect.fnUntraced(function* () {
        for (let i = 1;; i++) yield* Need.confirm(`row:${i}`, `Row ${i}?`);
      }),
    });
    return bothWays(() => McpServer.make({ name: "never", version: "1", tools: [never] }), async (target) => {
      const client = await open(target);
      const stream = await client.stream(tool("never"));
      for (let round = 1; round < 16; round++) await client.accept(await stream.next(), { ok: true });
      const { error } = await stream.next();
      assertEquals(error.code, -32603);
      assert(error.message.includes("16") && error.message.includes("row:16"), error.message);
    });
  });
});

describe("B20: eras do not leak", () => {
  test("B20: on one endpoint, interleaved, every message is one of its era", () => {
    const runs = counter();
    const tools = [askName(runs), echo(runs)];
    return bothWays(() => McpServer.make({ name: "eras", version: "1", tools }), async (target) => {
      const client = await open(target);
      const stream = await client.stream(tool("ask_name"));
      const question = await stream.next();
      const modern = await send(target, call("ask_name", {}, FORM));
      assertEquals(modern.result?.resultType, "input_required");
      const legacyList = await client.send(request("tools/list"));
      const modernList = await send(target, rpc("tools/list", META()));
      await client.accept(question, { name: "Ada" });
      const result = await stream.next();
      assertEquals(text(result), "Hello Ada");
      assertEquals(faultsOf("2025-11-25", question), []);
      assertEquals(faultsOf("2025-11-25", result, "tools/call"), []);
      assertEquals(faultsOf("2025-11-25", legacyList.last, "tools/list"), []);
      assertEquals(faultsOf("2026-07-28", JSON.parse(modern.text), "tools/call"), []);
      assertEquals(faultsOf("2026-07-28", JSON.parse(modernList.text), "tools/list"), []);
      assertEquals(modern.headers.get("mcp-session-id"), null);
    });
  });
});

describe("B22: a confirmation fails closed", () => {
  const answers: ReadonlyArray<readonly [string, unknown, "dropped" | "Kept" | "isError"]> = [
    ["a yes", { result: { action: "accept", content: { ok: true } } }, "dropped"],
    ["a no", { result: { action: "accept", content: { ok: false } } }, "Kept"],
    ["a decline", { result: { action: "decline" } }, "Kept"],
    ["a cancel", { result: { action: "cancel" } }, "Kept"],
    ["Method not found", { error: { code: -32601, message: "Method not found" } }, "isError"],
    ["an error that is none", { error: "no" }, "isError"],
    ["another error", { error: { code: -1, message: "User rejected" } }, "isError"],
  ];
  for (const [what, reply, expected] of answers) {
    test(`B22: ${what} gives ${expected}`, () => {
      const runs = counter();
      return bothWays(() => McpServer.make({ name: "drop", version: "1", tools: [drop(runs)] }), async (target) => {
        const before = runs.of("dropped");
        const client = await open(target);
        const stream = await client.stream(tool("drop"));
        const { id } = await stream.next();
        await client.send({ jsonrpc: "2.0", id, ...reply as object });
        const { result } = await stream.next();
        assertEquals(runs.of("dropped") - before, expected === "dropped" ? 1 : 0);
        assertEquals(result.isError ?? false, expected === "isError");
        if (expected === "Kept") assertEquals(result.content[0].text, "Kept");
      });
    });
  }

  test("B22: a client without forms, and one that left, are not taken for a yes", () => {
    const runs = counter();
    return bothWays(() => McpServer.make({ name: "drop", version: "1", tools: [drop(runs)] }), async (target) => {
      const url = await open(target, { capabilities: { elicitation: { url: {} } } });
      assertEquals((await url.send(tool("drop"))).last.result.isError, true);
      const client = await open(target, { revision: "2025-06-18" });
      const stream = await client.stream(tool("drop"));
      const { id } = await stream.next();
      await stream.leave();
      await later(50);
      await client.send({ jsonrpc: "2.0", id, result: { action: "accept", content: { ok: true } } });
      assertEquals(runs.of("dropped"), 0);
    });
  });
});

describe("B33: a model that refuses", () => {
  const poem = Tool.make("poem", {
    description: "Has a poem written",
    handler: () =>
      Need.sample("poem", { messages: [{ role: "user", content: { type: "text", text: "Rhyme" } }], maxTokens: 9 })
        .pipe(
          Effect.map(saidText),
          Effect.catchTag("Refused", ({ reason }) => Effect.succeed(`refused: ${reason}`)),
        ),
  });

  test("B33: is a typed outcome; a client that has none at all is not", () =>
    bothWays(() => McpServer.make({ name: "poem", version: "1", tools: [poem] }), async (target) => {
      const client = await open(target);
      const ask = async (error: unknown) => {
        const stream = await client.stream(tool("poem"));
        const { id } = await stream.next();
        await client.send({ jsonrpc: "2.0", id, error });
        return (await stream.next()).result;
      };
      const refused = await ask({ code: -1, message: "User rejected sampling request" });
      assertEquals(refused.isError ?? false, false);
      assertStringIncludes(refused.content[0].text, "User rejected sampling request");
      assertEquals((await ask({ code: -32601, message: "Method not found" })).isError, true);
    }));
});

describe("B39: many clients of one server value", () => {
  const clients = 50;
  const authenticate: Auth.Authenticate = ({ header }) =>
    Effect.succeed(Auth.principal(header("authorization") ?? "nobody"));
  const who = Tool.make("who", {
    description: "Says who calls, after a while, a word and a question",
    handler: Effect.fnUntraced(function* () {
      const { subject } = yield* Auth.Principal;
      yield* Call.progress({ progress: 1, message: subject });
      yield* Effect.sleep(1 + Number(subject.split(" ")[1]) * 13 % 17);
      const sure = yield* Need.confirm("sure", `Is it ${subject}?`);
      return `${subject} ${sure}`;
    }),
  });

  test(`B39: no reply, notice or question of ${clients} clients reaches another, though all their ids are the same`, () =>
    overHttp(McpServer.make({ name: "who", version: "1", tools: [who] }), async (target) => {
      const one = async (index: number): Promise<void> => {
        const subject = `client ${index}`;
        const client = await open(target, { headers: { authorization: subject } });
        for (const id of [1, 2, 3]) {
          const stream = await client.stream(tool("who", { _meta: { progressToken: id } }, id));
          const { params } = await stream.next();
          assertEquals([params.message, params.progressToken], [subject, id]);
          const question = await stream.next();
          assertEquals(question.params.message, `Is it ${subject}?`);
          await client.accept(question, { ok: index % 2 === 0 });
          const result = await stream.next();
          assertEquals([result.id, text(result)], [id, `${subject} ${index % 2 === 0}`]);
          assertEquals(await stream.next(), undefined);
        }
        assertEquals((await client.delete()).status, 204);
      };
      await Promise.all(Array.from({ length: clients }, (_, index) => one(index)));
    }, { authenticate }));
});

describe("B41: the stream for changes is opened again", () => {
  test("B41: at once, five times, though nobody closed the one before; POSTs go on", () => {
    const runs = counter();
    const update = Tool.make("update", {
      description: "Changes a resource",
      handler: () => Effect.as(Catalog.resourceUpdated("note:///r"), "updated"),
    });
    const note = Resource.make("note:///r", { name: "r", handler: () => Effect.succeed("r") });
    const server = McpServer.make({ name: "streams", version: "1", tools: [update, echo(runs)], resources: [note] });
    return overHttp(server, async (target) => {
      const client = await open(target);
      await client.send(request("resources/subscribe", { uri: "note:///r" }));
      const streams = [await client.listen()];
      for (let turn = 0; turn < 5; turn++) {
        streams.push(await client.listen());
        assertEquals((await client.send(tool("update"))).last.result.isError ?? false, false);
        assertEquals((await streams.at(-1)!.next()).method, "notifications/resources/updated");
      }
      const last = streams.pop()!;
      assertEquals(await Promise.all(streams.map((stream) => stream.rest())), streams.map(() => []));
      await last.leave();
      const two = await Promise.all([client.listen(), client.listen()]);
      await client.send(tool("update"));
      const got = await Promise.race(two.map(async (stream) => (await stream.next())?.method ?? later(500)));
      assertEquals(got, "notifications/resources/updated");
      await Promise.all(two.map((stream) => stream.leave()));
    });
  });
});

describe("B57: a client that goes does not stop its calls", () => {
  for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
    test(`B57: 300 streams of ${revision} that are left at once: every handler runs to its end`, () => {
      const runs = counter();
      return overHttp(McpServer.make({ name: "slow", version: "1", tools: [slow(runs)] }), async (target) => {
        const client = await open(target, { revision });
        for (let turn = 0; turn < 10; turn++) {
          await Promise.all(Array.from({ length: 30 }, async () => {
            const message = tool("slow", { arguments: { ms: 20, loud: true }, _meta: { progressToken: 1 } });
            const stream = await client.stream(message);
            assertEquals((await stream.next()).method, "notifications/progress");
            await stream.leave();
          }));
        }
        await until(() => runs.of("slept") === 300);
        assertEquals([runs.of("slow"), runs.of("interrupted")], [300, 0]);
        assertEquals((await client.send(request("ping"))).last.result, {});
      });
    });
  }

  test("B57: neither does one that goes before there is a reply, or in the middle of its body", () => {
    const runs = counter();
    return overHttp(McpServer.make({ name: "slow", version: "1", tools: [slow(runs)] }), async (target) => {
      const client = await open(target);
      for (const accept of ["application/json, text/event-stream", "application/json"]) {
        const before = runs.of("slow");
        const gone = new AbortController();
        const reply = client.post(tool("slow", { arguments: { ms: 100 } }), { accept }, gone.signal).catch(() => {});
        await until(() => runs.of("slow") > before);
        gone.abort();
        await reply;
        await until(() => runs.of("slept") > before);
      }
      const halves = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0",')),
      });
      const gone = new AbortController();
      const upload = fetch(target.url, {
        method: "POST",
        headers: { "content-type": "application/json", "mcp-session-id": client.session },
        body: halves,
        signal: gone.signal,
      }).catch(() => {});
      await later(20);
      gone.abort();
      await upload;
      assertEquals((await client.send(request("ping"))).last.result, {});
      assertEquals([runs.of("slept"), runs.of("interrupted")], [2, 0]);
    });
  });
});
