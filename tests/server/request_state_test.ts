/** Typed states of an author's own: options, sealing, opening, binding, seeds (DESIGN, section 6; B07, B09, B10, B11). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Cause from "effect/Cause";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { Auth, Manual, McpServer, Need, RequestState, Sealer, Tool } from "@needful/mcp";
import { accept, connect, layerFlow } from "@needful/mcp/testing";
import { closing } from "../closing.ts";
import type { CallInfo } from "../../src/model/call.ts";
import { anonymous } from "../../src/model/principal.ts";
import { ManualPort } from "../../src/need/manual.ts";

const secret = "a secret of at least thirty-two bytes";
const other = "another secret of thirty-two bytes or more";
const Step = Schema.Struct({ at: Schema.DateFromString, n: Schema.Int });
const step = { at: new Date("2026-07-28T00:00:00.000Z"), n: 7 };

type BoundCall = Pick<CallInfo, "method" | "target" | "arguments" | "principal">;

const here: BoundCall = { method: "tools/call", target: "t", arguments: { a: 1, b: [2] }, principal: anonymous };

/** An ending of the call, as the port was told. */
class Ended extends Error {
  readonly kind: "refused" | "misuse";
  constructor(kind: "refused" | "misuse", reason: string) {
    super(reason);
    this.kind = kind;
  }
}

const flow: Context.Context<Need.Flow> = await Effect.runPromise(Effect.scoped(Layer.build(layerFlow())));

/** In a call that brings `state`. */
const inCall = <A>(effect: Effect.Effect<A, never, Need.Flow>, state?: string, call: BoundCall = here) =>
  effect.pipe(
    Effect.provideService(ManualPort, {
      read: () => Effect.undefined,
      canAsk: () => Effect.succeed(false),
      responses: Effect.undefined,
      raw: () => Effect.undefined,
      state: Effect.succeed(state),
      call: Effect.succeed(call),
      refuse: (reason) => Effect.die(new Ended("refused", reason)),
      misuse: (reason) => Effect.die(new Ended("misuse", reason)),
    }),
    Effect.provideContext(flow),
  );

const tell = (exit: Exit.Exit<unknown, unknown>): unknown => {
  if (Exit.isSuccess(exit)) return exit.value;
  const defect = Cause.squash(exit.cause);
  if (defect instanceof Ended) return `${defect.kind}: ${defect.message}`;
  return `died: ${defect instanceof Error ? defect.message : defect}`;
};

/** What an effect gives in a call, or how it ends it. */
const given = async <A>(effect: Effect.Effect<A, never, Need.Flow>, state?: string, call?: BoundCall) =>
  tell(await Effect.runPromiseExit(inCall(effect, state, call)));

const sealed = async <A>(codec: RequestState.RequestState<A>, payload: A, call?: BoundCall): Promise<string> =>
  await given(codec.seal(payload), undefined, call) as string;

const protections: ReadonlyArray<[string, Partial<RequestState.Options<typeof Step.Type>>]> = [
  ["no key", {}],
  ["AES-256-GCM", { key: secret }],
  ["HMAC-SHA-256", { key: secret, mode: "sign" }],
];

describe("make: options", () => {
  const make = (options: object) => () =>
    RequestState.make({ schema: Step, ...options } as RequestState.Options<typeof Step.Type>);

  test("make: a key under 32 bytes, or none in the list, is a RangeError", () => {
    const short: ReadonlyArray<[object, string]> = [
      [{ key: "short" }, "key has 5 bytes, and at least 32 are needed"],
      [{ key: "" }, "key has 0 bytes, and at least 32 are needed"],
      [{ key: new Uint8Array(31) }, "key has 31 bytes, and at least 32 are needed"],
      [{ key: Redacted.make("x".repeat(31)) }, "key has 31 bytes, and at least 32 are needed"],
      [{ keys: [secret, "short"] }, "keys[1] has 5 bytes, and at least 32 are needed"],
      [{ keys: [] }, "keys is empty"],
    ];
    for (const [options, message] of short) {
      const error = assertThrows(make(options), `Cannot make a request state: ${message}`);
      assert(error instanceof RangeError);
    }
    for (const key of ["é".repeat(16), new Uint8Array(32), Redacted.make(secret)]) make({ key })();
  });

  test("make: a time that is not finite or not above zero is a RangeError", () => {
    for (const ttl of [0, -1, Number.NaN, Infinity, -Infinity, "0 seconds", "soon", "366 days"]) {
      const error = assertThrows(make({ key: secret, ttl }), "ttl is");
      assert(error instanceof RangeError, String(ttl));
    }
    for (const ttl of [1, "1 second", "365 days"]) make({ key: secret, ttl })();
  });

  test("make: what is no option at all is a TypeError", () => {
    const wrong: ReadonlyArray<object> = [
      { schema: { type: "string" } },
      { key: undefined },
      { keys: undefined },
      { key: 1 },
      { keys: secret },
      { key: secret, keys: [secret] },
      { key: secret, bind: "principal" },
      { key: secret, bind: ["session"] },
      { key: secret, mode: "none" },
      { ttl: "1 minute" },
      { bind: [] },
      { mode: "sign" },
    ];
    for (const options of wrong) assert(assertThrows(make(options)) instanceof TypeError, JSON.stringify(options));
  });

  test("make: a host without Web Crypto is a TypeError, unless there is nothing to seal", () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, "crypto")!;
    Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
    try {
      assert(assertThrows(make({ key: secret }), "no Web Crypto") instanceof TypeError);
      make({})();
    } finally {
      Object.defineProperty(globalThis, "crypto", own);
    }
  });
});

for (const [name, options] of protections) {
  describe(`seal and open: ${name}`, () => {
    const codec = RequestState.make({ schema: Step, ...options });

    test("open: gives back what was sealed, decoded by the schema", async () => {
      assertEquals(await given(codec.open, await sealed(codec, step)), Option.some(step));
    });

    test("open: none only where the request brings no state", async () => {
      assertEquals(await given(codec.open), Option.none());
      for (const state of ["", "{", "null", "{}", '{"at":1,"n":"x"}', "x".repeat(70_000)]) {
        const end = await given(codec.open, state);
        assert(typeof end === "string" && end.startsWith("refused: "), `${state.slice(0, 20)}: ${end}`);
      }
    });

    test("seal: a payload that does not fit the schema ends the call", async () => {
      const misfit = { at: step.at, n: 1.5 };
      assertEquals(
        await given(codec.seal(misfit)),
        "misuse: Cannot seal the request state: The payload does not fit the schema",
      );
    });
  });
}

for (const [name, options] of protections.slice(1)) {
  describe(`protection: ${name}`, () => {
    const codec = RequestState.make({ schema: Step, ...options });

    test("open: exactly one string opens", async () => {
      const state = await sealed(codec, step);
      const changed = [
        ...Array.from(
          state,
          (character, i) => state.slice(0, i) + (character === "A" ? "B" : "A") + state.slice(i + 1),
        ),
        state.slice(0, -1),
        `${state}A`,
        `${state}=`,
        `${state}\n`,
        ` ${state}`,
        state.replaceAll("-", "+").replaceAll("_", "/") + "+",
      ];
      for (const one of changed) {
        const end = await given(codec.open, one);
        assert(typeof end === "string" && end.startsWith("refused: "), one);
      }
    });

    test("seal: is not what the library seals with the same key, nor what the other mode gives", async () => {
      const state = await sealed(codec, step);
      const flipped = RequestState.make({
        schema: Step,
        key: secret,
        mode: options.mode === "sign" ? "encrypt" : "sign",
      });
      assert(String(await given(flipped.open, state)).startsWith("refused: "));
      const layer = Sealer.layer({ keys: [Redacted.make(secret)], mode: options.mode ?? "encrypt" }).pipe(
        Layer.provide(Sealer.layerWebCrypto),
      );
      const binding = {
        audience: "",
        method: "tools/call",
        target: "t",
        arguments: here.arguments,
        subject: undefined,
      };
      const opened = Effect.flatMap(Sealer.Sealer, (sealer) => Effect.flip(sealer.open(state, binding)));
      const error = await Effect.runPromise(Effect.provide(opened, layer));
      assertEquals(error.message, "Invalid request state");
    });

    test("keys: the first seals, all open", async () => {
      const before = RequestState.make({ schema: Step, ...options });
      const { key: _, ...rest } = options;
      const after = RequestState.make({ schema: Step, ...rest, keys: [other, secret] });
      const old = await sealed(before, step);
      assertEquals(await given(after.open, old), Option.some(step));
      const fresh = await sealed(after, step);
      assert(String(await given(before.open, fresh)).startsWith("refused: "));
    });

    test("open: refuses what is larger than any state", async () => {
      const Text = RequestState.make({ schema: Schema.String, ...options } as RequestState.Options<string>);
      assertEquals(
        String(await given(Text.seal("x".repeat(65_536)))).replace(/has \d+/, "has n"),
        "misuse: Cannot seal the request state: The request state has n characters, more than the limit of 65536",
      );
    });

    test("ttl: good until it expires", () =>
      Effect.gen(function* () {
        const codec = RequestState.make({ schema: Step, ...options, ttl: "1 minute" });
        const state = yield* inCall(codec.seal(step));
        yield* TestClock.adjust("59 seconds");
        assertEquals(yield* inCall(codec.open, state), Option.some(step));
        yield* TestClock.adjust("1 seconds");
        const exit = yield* Effect.exit(inCall(codec.open, state));
        assertEquals(tell(exit), "refused: The state expired 0 ms ago");
      }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise));
  });
}

describe("bind", () => {
  const ada = Auth.principal("ada");
  const calls: { readonly [part: string]: BoundCall } = {
    method: { ...here, method: "prompts/get" },
    target: { ...here, target: "u" },
    arguments: { ...here, arguments: { a: 1, b: [3] } },
    principal: { ...here, principal: ada },
  };

  /** The parts whose change a codec does not bear. */
  const bound = async (bind: RequestState.Bind | undefined, from: BoundCall = here): Promise<string> => {
    const codec = RequestState.make({ schema: Schema.Int, key: secret, ...(bind === undefined ? {} : { bind }) });
    const state = await sealed(codec, 1, from);
    const refused: Array<string> = [];
    for (const [part, call] of Object.entries(calls)) {
      const end = await given(codec.open, state, { ...from, [part]: call[part as keyof BoundCall] });
      if (typeof end === "string") refused.push(part);
    }
    return refused.join(",");
  };

  test("bind: method, target and arguments by default", async () => {
    assertEquals(await bound(undefined), "method,target,arguments");
  });

  test("bind: to the parts that are named, and to nothing", async () => {
    assertEquals(await bound(["target"]), "target");
    assertEquals(
      await bound(["principal", "method"], { ...here, principal: Auth.principal("bea") }),
      "method,principal",
    );
    assertEquals(await bound([]), "");
  });

  test("bind: to a text of the author's own", async () => {
    assertEquals(await bound((call) => `${call.method} ${call.principal.subject}`), "method,principal");
  });

  test("bind: the order of keys in arguments does not matter (B09)", async () => {
    const codec = RequestState.make({ schema: Schema.Int, key: secret });
    const state = await sealed(codec, 1, { ...here, arguments: { a: { x: 1, y: 2 }, b: 1 } });
    const reordered = { ...here, arguments: { b: 1, a: { y: 2, x: 1 } } };
    assertEquals(await given(codec.open, state, reordered), Option.some(1));
  });

  test("bind: a codec that is bound to the principal refuses without one, to seal and to open", async () => {
    const codec = RequestState.make({ schema: Schema.Int, key: secret, bind: ["principal"] });
    const why = "it is bound to the principal, and the caller is not authenticated";
    assertEquals(await given(codec.seal(1)), `misuse: Cannot seal the request state: ${why}`);
    const state = await sealed(codec, 1, { ...here, principal: ada });
    assertEquals(await given(codec.open, state), `refused: ${why}`);
    // The subject counts, not the rest: claims are renewed
    const renewed = { ...here, principal: Auth.principal("ada", { token: "new" }) };
    assertEquals(await given(codec.open, state, renewed), Option.some(1));
  });
});

describe("seeds", () => {
  const keys = [Redacted.make(secret)];
  const sealer = Sealer.layer({ keys }).pipe(Layer.provide(Sealer.layerWebCrypto), Layer.orDie);
  const keyless = RequestState.make({ schema: Schema.Int });
  const plain = RequestState.make({ schema: Schema.Int, key: other, bind: [] });
  const signed = RequestState.make({ schema: Schema.Int, key: `${other}!`, bind: [], mode: "sign" });
  const bound = RequestState.make({ schema: Schema.Int, key: other });
  const name = Manual.elicit({ message: "Name?", schema: Schema.Struct({ name: Schema.String }) });

  let runs = 0;
  const tool = (codec: RequestState.RequestState<number>, called: string) =>
    Tool.make(called, {
      handler: Effect.fnUntraced(function* () {
        runs++;
        const { round } = yield* Need.flow;
        const n = Option.getOrElse(yield* codec.open, () => 0);
        const { who } = yield* Manual.responses({ who: name });
        if (n > 1 && who === undefined) {
          return Manual.inputRequired({ inputRequests: { who: name }, requestState: yield* codec.seal(n) });
        }
        return `round ${round}: ${n}${who?.action === "accept" ? ` ${who.content.name}` : ""}`;
      }),
    });
  const server = McpServer.make({
    name: "seeds",
    version: "1",
    tools: [tool(plain, "plain"), tool(signed, "signed"), tool(keyless, "keyless")],
  });

  const using = async (use: (client: Awaited<ReturnType<typeof connect>>) => Promise<void>): Promise<void> => {
    await closing(connect(server, sealer), async (client) => {
      await use(client);
    });
  };

  test("seal: outside of a call it is a complete state of round 0, which begins a call", () =>
    using(async (client) => {
      for (const [called, codec] of [["plain", plain], ["signed", signed]] as const) {
        const requestState = await Effect.runPromise(Effect.provide(codec.seal(1), sealer));
        const { response } = await client.request("tools/call", { name: called, requestState });
        const [block] = (response?.["result"] as { content: ReadonlyArray<{ text: string }> }).content;
        assertEquals(block?.text, "round 1: 1");
      }
      assertEquals((await client.callTool("plain")).text, "round 1: 0");
    }));

  test("seal: a seed goes on as any flow does, and what came volunteered with it does not count", () =>
    using(async (client) => {
      const requestState = await Effect.runPromise(Effect.provide(plain.seal(5), sealer));
      const params = { name: "plain", arguments: {} };
      const inputResponses = { who: accept({ name: "Ada" }) };
      const first = await client.request("tools/call", { ...params, requestState, inputResponses });
      const interim = first.response?.["result"] as { resultType: string; requestState: string };
      assertEquals(interim.resultType, "input_required");
      const next = { ...params, requestState: interim.requestState, inputResponses };
      const second = (await client.request("tools/call", next)).response?.["result"];
      assertEquals((second as { content: ReadonlyArray<{ text: string }> }).content[0]?.text, "round 2: 5 Ada");
    }));

  test("open: a seed of another codec is refused", () =>
    using(async (client) => {
      const requestState = await Effect.runPromise(Effect.provide(plain.seal(1), sealer));
      for (const name of ["signed", "keyless"]) {
        const { response } = await client.request("tools/call", { name, requestState });
        assertEquals((response?.["error"] as { message: string }).message, "Invalid request state");
      }
    }));

  test("seal: a seed of another sealer, or a changed one, is refused before the handler runs", () =>
    using(async (client) => {
      const layer = Sealer.layer({ keys: [Redacted.make(other)] }).pipe(
        Layer.provide(Sealer.layerWebCrypto),
        Layer.orDie,
      );
      const foreign = await Effect.runPromise(Effect.provide(plain.seal(1), layer));
      const own = await Effect.runPromise(Effect.provide(plain.seal(1), sealer));
      const before = runs;
      for (const requestState of [foreign, own.slice(0, -1), `${own}A`, await sealed(plain, 1), "1"]) {
        const { response } = await client.request("tools/call", { name: "plain", requestState });
        const { code, message } = response?.["error"] as { code: number; message: string };
        assertEquals([code, message], [-32602, "Invalid request state"]);
      }
      assertEquals(runs, before);
    }));

  test("seal: outside of a call a codec that is bound or has no key refuses, and any does without a Sealer", async () => {
    const ends = async (effect: Effect.Effect<string>) => tell(await Effect.runPromiseExit(effect));
    assertEquals(
      await ends(Effect.provide(bound.seal(1), sealer)),
      "died: Cannot seal the request state: it is bound to a call, and there is none",
    );
    assertEquals(
      await ends(Effect.provide(keyless.seal(1), sealer)),
      "died: Cannot seal the request state: outside of a call it takes a key of its own",
    );
    assertEquals(
      await ends(plain.seal(1)),
      "died: Cannot seal the request state: outside of a call it takes the server's Sealer",
    );
    const open = bound.open.pipe(Effect.provideService(ManualPort, undefined), Effect.provideContext(flow));
    assertEquals(await Effect.runPromise(open), Option.none());
  });
});
