/**
 * Seeds, the states of round 0 that `RequestState.seal` makes outside of a call: with every kind of handler that returns,
 * and with handlers that do not (DESIGN, section 6).
 */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { Manual, McpServer, Need, Prompt, RequestState, Resource, Tool } from "@needful/mcp";
import { Client } from "@needful/mcp/testing";
import { told } from "../run/kit.ts";
import { type Counter, counter } from "../cases/fixtures.ts";
import { inProcess, log, sealer } from "../cases/serve.ts";
import { accept, again, ANY, asks, type Body, call, completes, fails, prompt, read, send } from "../cases/wire.ts";

const Visit = RequestState.make({ schema: Schema.Int, key: "a key of the author's own, 32 bytes long", bind: [] });

/** A seed, by the sealer that the servers of the cases have. */
const plant = (payload: number): Promise<string> => Effect.runPromise(Effect.provide(Visit.seal(payload), sealer()));

const name = Schema.Struct({ name: Schema.NonEmptyString });
const requests = { who: Manual.elicit({ message: "Who are you?", schema: name }) };

/** Opens the seed and asks by returning; the payload goes from round to round. */
const returning = Effect.gen(function* () {
  const visit = Option.getOrElse(yield* Visit.open, () => 0);
  const { who } = yield* Manual.responses(requests);
  if (who === undefined) {
    return Manual.inputRequired({ inputRequests: requests, requestState: yield* Visit.seal(visit) });
  }
  return `${who.action === "accept" ? who.content.name : who.action} on visit ${visit}`;
});

const server = (runs: Counter) => {
  const charge = Need.once("charge", runs.count("charge"), Schema.Void);
  const asking = Effect.map(Need.elicit("who", { message: "Who are you?", schema: name }), ({ name }) => name);
  const cell = Need.state("cell", { schema: Schema.Int, initial: 1 });
  return McpServer.make({
    name: "seeds",
    version: "1",
    tools: [
      Tool.make("returns", { handler: () => returning }),
      Tool.make("asks", { handler: () => Effect.andThen(charge, asking) }),
      Tool.make("confirms", { handler: () => Effect.map(Need.confirm("sure", "Sure?"), String) }),
      Tool.make("together", {
        handler: () => Effect.map(Need.all({ asking, sure: Need.confirm("sure", "Sure?") }), ({ asking }) => asking),
      }),
      Tool.make("restarts", {
        handler: Effect.fnUntraced(function* () {
          const pass = yield* cell.get;
          if (pass === 3) return "three passes";
          yield* cell.set(pass + 1);
          return yield* Need.again;
        }),
      }),
      Tool.make("plain", { handler: () => Effect.succeed("plain") }),
      Tool.make("opens_and_asks", {
        handler: () => Effect.andThen(Visit.open, Effect.exit(asking).pipe(Effect.as(""))),
      }),
      Tool.make("asks_and_opens", {
        handler: () => Effect.zipWith(asking, Visit.open, (who, visit) => `${who}, ${Option.isNone(visit)}`),
      }),
      Tool.make("cell_and_opens", {
        handler: Effect.fnUntraced(function* () {
          yield* cell.get;
          const seen = Option.isNone(yield* Visit.open);
          return `${seen} ${yield* asking}`;
        }),
      }),
    ],
    prompts: [Prompt.make("prompt", { handler: () => returning })],
    resources: [
      Resource.make("note:///static", { name: "static", handler: () => returning }),
      Resource.template("note:///by/{id}", { name: "template", handler: () => returning }),
    ],
  });
};

const inputResponses = { who: accept({ name: "Ada" }) };

describe("seeds", () => {
  test("seed: begins a call of every kind of handler that returns", () =>
    inProcess(server(counter()), async (target) => {
      const kinds: ReadonlyArray<Body> = [
        call("returns", {}, ANY),
        prompt("prompt", undefined, ANY),
        read("note:///static", ANY),
        read("note:///by/1", ANY),
      ];
      for (const body of kinds) {
        const first = await send(target, again(body, { requestState: await plant(7) }));
        const { state } = asks(first, "who");
        const { result, text } = await send(target, again(body, { requestState: state, inputResponses }));
        assertEquals([result?.resultType, text.includes("Ada on visit 7")], ["complete", true], text);
      }
    }));

  test("seed: a codec that is bound to anything, by parts or by a text, refuses to make one", async () => {
    const key = "a key of the author's own, 32 bytes long";
    for (const bind of [["target"], ["principal"], ["method", "arguments"], () => "the same for all"] as const) {
      const bound = RequestState.make({ schema: Schema.Int, key, bind });
      const exit = await Effect.runPromiseExit(Effect.provide(bound.seal(1), sealer()));
      assertEquals(
        told(exit),
        "die Cannot seal the request state: it is bound to a call, and there is none",
      );
    }
  });

  // A seed is for whoever opens it: a handler that does not is none the wiser, in whatever style it is written.
  test("seed: a handler that asks with Need goes on as if it had come without one, and loses nothing", () => {
    const runs = counter();
    return inProcess(server(runs), async (target) => {
      const body = call("asks", {}, ANY);
      const { state } = asks(await send(target, again(body, { requestState: await plant(1) })), "who");
      assertEquals(runs.of("charge"), 1);
      completes(await send(target, again(body, { requestState: state, inputResponses })), "Ada");
      assertEquals(runs.of("charge"), 1);

      const both = call("together", {}, ANY);
      const next = asks(await send(target, again(both, { requestState: await plant(1) })), "sure", "who").state;
      const answers = { ...inputResponses, sure: accept({ ok: true }) };
      completes(await send(target, again(both, { requestState: next, inputResponses: answers })), "Ada");

      completes(await send(target, again(call("plain", {}, ANY), { requestState: await plant(1) })), "plain");
    });
  });

  test("seed: cells and passes of such a handler are its own", () =>
    inProcess(server(counter()), async (target) => {
      const body = call("restarts", {}, ANY);
      let reply = await send(target, again(body, { requestState: await plant(1) }));
      for (let pass = 1; pass < 3; pass++) {
        reply = await send(target, again(body, { requestState: asks(reply).state }));
      }
      completes(reply, "three passes");
    }));

  test("seed: what is volunteered with it does not count, least of all for a confirmation (B05)", () =>
    inProcess(server(counter()), async (target) => {
      const body = call("confirms", {}, ANY);
      const requestState = await plant(1);
      asks(await send(target, again(body, { requestState, inputResponses: { sure: accept({ ok: true }) } })), "sure");
      asks(await send(target, again(call("asks", {}, ANY), { requestState, inputResponses })), "who");
    }));

  test("seed: to open it and to ask with Need are two styles; the error says so, and no handler catches it (G1)", () =>
    inProcess(server(counter()), async (target) => {
      const body = call("opens_and_asks", {}, ANY);
      const reply = await send(target, again(body, { requestState: await plant(1) }));
      assertEquals(
        fails(reply, 200, -32603).message,
        "A call either asks with Need or returns Manual.inputRequired, not both: " +
          'cannot ask "who" after its state was opened',
      );
      // Without a seed there is nothing to open, and the same handler may ask
      asks(await send(target, body), "who");
    }));

  test("seed: once a handler has asked it is gone, in that round as in the next ones", () =>
    inProcess(server(counter()), async (target) => {
      for (const [name, said] of [["asks_and_opens", "Ada, true"], ["cell_and_opens", "true Ada"]] as const) {
        const body = call(name, {}, ANY);
        const { state } = asks(await send(target, again(body, { requestState: await plant(1) })), "who");
        completes(await send(target, again(body, { requestState: state, inputResponses })), said);
      }
    }));

  for (const [codec, server] of [["1 hour", "5 minutes"], ["5 minutes", "1 hour"]] as const) {
    test(`seed: a codec's ${codec} and the server's ${server} for sealed states: the shorter counts`, () => {
      const { layer, lines } = log();
      return Effect.gen(function* () {
        const Long = RequestState.make({
          schema: Schema.Int,
          key: "one more key of 32 bytes and more",
          bind: [],
          ttl: codec,
        });
        const handler = () => Effect.map(Long.open, (visit) => `visit ${Option.getOrUndefined(visit)}`);
        const tools = [Tool.make("opens", { handler })];
        const client = yield* Client.make(McpServer.make({ name: "seeds", version: "1", tools }));
        const requestState = yield* Long.seal(3);
        const said = Effect.map(
          client.request("tools/call", { name: "opens", requestState }),
          ({ response }) => JSON.stringify(response?.["result"] ?? response?.["error"]),
        );
        yield* TestClock.adjust("299 seconds");
        assertStringIncludes(yield* said, "visit 3");
        yield* TestClock.adjust("1 seconds");
        assertEquals(yield* said, '{"code":-32602,"message":"Invalid request state"}');
        assert(lines.some(({ text }) => text.includes("The state expired 0 ms ago")), JSON.stringify(lines));
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.mergeAll(TestClock.layer(), sealer(undefined, { ttl: server }), layer)),
        Effect.runPromise,
      );
    });
  }
});
