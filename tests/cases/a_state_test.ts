/**
 * Cases B07, B08 and B10: a state is opened only as it was sealed. All refusals are the same bytes, for the client cannot
 * be told which check failed (section 7 of the design), and no handler runs.
 */
import { describe, test } from "node:test";
import { assert, assertEquals, fail } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { type Counter, counter, who } from "./fixtures.ts";
import { inProcess, log, overHttp, sealer } from "./serve.ts";
import {
  accept,
  again,
  asks,
  type Body,
  call,
  completes,
  fails,
  FORM,
  M,
  post,
  type Reply,
  send,
  type Target,
} from "./wire.ts";

/** Asks `who` after a step that fills the state. */
const padded = (runs: Counter) =>
  Tool.make("padded", {
    description: "Asks, with much in the state",
    input: Schema.Struct({ pad: Schema.Int }),
    handler: Effect.fnUntraced(function* ({ pad }) {
      yield* runs.count("padded");
      yield* Need.once("pad", Effect.succeed("x".repeat(pad)), Schema.String);
      const { name } = yield* who;
      return `Hello ${name}`;
    }),
  });

const server = (runs: Counter) => McpServer.make({ name: "states", version: "1", tools: [padded(runs)] });

const answers = { inputResponses: { who: accept({ name: "Ada" }) } };

const first = (pad: number): Body => call("padded", { pad }, FORM);

/** A retry with this state under one and the same id, so that equal refusals are equal bytes. */
const retry = (pad: number, state: unknown): Body => ({
  ...again(first(pad), { ...answers, requestState: state }),
  id: 7,
});

const stateOf = async (target: Target, pad: number): Promise<string> =>
  asks(await send(target, first(pad)), "who").state;

/** A state as long as base64url allows to come to `length`, and the padding that makes it so. */
const stateOfLength = async (target: Target, length: number): Promise<readonly [pad: number, state: string]> => {
  const short = await stateOf(target, 10);
  let pad = 10 + Math.floor((length - short.length) * 3 / 4);
  let state = await stateOf(target, pad);
  while (state.length < length) state = await stateOf(target, ++pad);
  return [pad, state];
};

/** What one refusal looks like, so that others can be compared with it. */
const refusal = (reply: Reply): string => {
  const error = fails(reply, 200, -32602);
  assertEquals(error, { code: -32602, message: "Invalid request state" }, reply.text);
  return reply.text;
};

/** Fails unless all `states` are refused with the same bytes and without a run. */
const refused = async (target: Target, runs: Counter, pad: number, states: Iterable<unknown>): Promise<number> => {
  const before = runs.of("padded");
  const expected = refusal(await send(target, retry(pad, "never sealed")));
  const headers = M(retry(pad, "")).headers;
  let count = 0;
  for (const state of states) {
    const body = JSON.stringify(retry(pad, state));
    const response = await target.fetch(new Request(target.url, { method: "POST", headers, body }));
    const text = await response.text();
    if (response.status !== 200 || text !== expected) {
      fail(`State ${count}, ${JSON.stringify(state)?.slice(0, 80)}: ${response.status} ${text}`);
    }
    count++;
  }
  assertEquals(runs.of("padded"), before);
  return count;
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** `state` with each of its characters changed: to every other one of the alphabet, and to some that are no base64url. */
function* changed(state: string): Generator<string> {
  for (let i = 0; i < state.length; i++) {
    for (const other of [...alphabet, ..."+/= \n\0é"]) {
      if (other !== state[i]) yield state.slice(0, i) + other + state.slice(i + 1);
    }
  }
}

function* shortened(state: string): Generator<string> {
  for (let length = 0; length < state.length; length++) yield state.slice(0, length);
  for (let from = 1; from < state.length; from++) yield state.slice(from);
  for (let at = 1; at < state.length - 1; at++) yield state.slice(0, at) + state.slice(at + 1);
}

function* extended(state: string): Generator<string> {
  for (const more of [...alphabet, "=", "==", "\n", "\r\n", " ", "\0", "AA", "AAA", "AAAA", "\u200b", "%3D", state]) {
    yield state + more;
    yield more + state;
  }
  for (let at = 1; at < state.length; at++) {
    yield `${state.slice(0, at)}A${state.slice(at)}`;
    yield `${state.slice(0, at)}\n${state.slice(at)}`;
  }
}

const bytes = (state: string): Uint8Array =>
  Uint8Array.from(atob(state.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));

function* reencoded(state: string): Generator<string> {
  const standard = state.replaceAll("-", "+").replaceAll("_", "/");
  const padding = "=".repeat((4 - state.length % 4) % 4);
  if (standard !== state) yield standard;
  if (padding !== "") yield* [state + padding, standard + padding];
  // The last character of a text that is no whole number of groups has bits that mean nothing: other texts, same bytes
  const spare = [0, 0, 4, 2][state.length % 4]!;
  const last = alphabet.indexOf(state.at(-1)!);
  for (let bits = 1; bits < 2 ** spare; bits++) yield state.slice(0, -1) + alphabet[last ^ bits];
  yield btoa(state);
  yield encodeURIComponent(`${state}=`);
  yield JSON.stringify(state);
  yield [...bytes(state)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  yield state.toUpperCase();
  yield state.toLowerCase();
  yield [...state].reverse().join("");
  yield state.match(/.{1,76}/g)!.join("\r\n");
  yield `\ufeff${state}`;
  yield `${state.slice(0, 2)}\u0301${state.slice(2)}`;
  yield [...state].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join("");
}

describe("B07: a state of 600 characters", () => {
  for (
    const [name, mutate, least] of [
      ["change of one character", changed, 600 * (63 + 7)],
      ["truncation, at either end and inside", shortened, 600 * 3 - 100],
      ["extension, at either end and inside", extended, 600 * 2],
      ["re-encoding", reencoded, 12],
    ] as const
  ) {
    test(`B07: every ${name} is refused with the same bytes before the handler runs`, () => {
      const runs = counter();
      return inProcess(server(runs), async (target) => {
        const [pad, state] = await stateOfLength(target, 600);
        assert(state.length >= 600 && state.length < 604, `${state.length} characters`);
        assert(await refused(target, runs, pad, new Set(mutate(state))) >= least);
        completes(await send(target, retry(pad, state)), "Hello Ada");
      });
    });
  }

  test("B07: texts whose length leaves spare bits are as strict as the others", () => {
    const runs = counter();
    return inProcess(server(runs), async (target) => {
      const lengths = new Set<number>();
      for (const pad of [20, 21, 22]) {
        const state = await stateOf(target, pad);
        lengths.add(state.length % 4);
        await refused(target, runs, pad, [...reencoded(state), ...[...alphabet].map((more) => state + more)]);
        await refused(target, runs, pad, [...alphabet].map((c) => state.slice(0, -1) + c).filter((s) => s !== state));
        completes(await send(target, retry(pad, state)), "Hello Ada");
      }
      assertEquals([...lengths].sort(), [0, 2, 3]);
    });
  });

  test("B07: states of another key, of another mode and of two states put together are refused alike", async () => {
    const runs = counter();
    const foreign: Array<string> = [];
    for (const layer of [sealer(["another secret of the cases, 32 bytes"]), sealer(undefined, { mode: "sign" })]) {
      await inProcess(server(counter()), async (target) => void foreign.push(await stateOf(target, 10)), { layer });
    }
    await inProcess(server(runs), async (target) => {
      const [one, two] = [await stateOf(target, 10), await stateOf(target, 10)];
      assert(one !== two);
      const half = Math.floor(one.length / 2);
      const mixed = [32, 40, half, one.length - 24].map((at) => one.slice(0, at) + two.slice(at));
      // The prefixes name the format, the mode and the key: ours before a foreign text does not make it ours
      const dressed = foreign.map((state) => one.slice(0, 12) + state.slice(12));
      await refused(target, runs, 10, [...foreign, ...dressed, ...mixed]);
      completes(await send(target, retry(10, one)), "Hello Ada");
      completes(await send(target, retry(10, two)), "Hello Ada");
    });
  });

  test("B07: signed states are as strict as encrypted ones", () => {
    const runs = counter();
    return inProcess(server(runs), async (target) => {
      const state = await stateOf(target, 10);
      const all = [...changed(state)].filter((_, i) => i % 5 === 0);
      await refused(target, runs, 10, [...all, ...shortened(state), ...reencoded(state)].filter((s) => s !== state));
      completes(await send(target, retry(10, state)), "Hello Ada");
    }, { layer: sealer(undefined, { mode: "sign" }) });
  });
});

describe("B08: a state that is no string", () => {
  test("B08: a state that is no string is refused before the handler runs, as is the empty one", () => {
    const runs = counter();
    return inProcess(server(runs), async (target) => {
      const state = await stateOf(target, 10);
      const others: ReadonlyArray<unknown> = [
        ...[1, 0, -1, 1e308, null, true, false, [], {}, "", [state], { state }, { toString: state }, { length: 12 }],
        ...[[[]], [[state]], { "0": state, "length": 1 }, { "__proto__": state }],
      ];
      assertEquals(await refused(target, runs, 10, others), others.length);
    });
  });

  test("B08: without answers, too, and for a handler that asks nothing", () => {
    const runs = counter();
    const quiet = McpServer.make({
      name: "states",
      version: "1",
      tools: [
        Tool.make("quiet", { description: "Asks nothing", handler: () => Effect.as(runs.count("quiet"), "quiet") }),
      ],
    });
    return inProcess(quiet, async (target) => {
      for (const state of [1, null, [], {}, "", "x"]) {
        refusal(await send(target, call("quiet", {}, FORM, { requestState: state })));
      }
      assertEquals(runs.of("quiet"), 0);
    });
  });
});

describe("B10: size and silence", () => {
  test("B10: a state over the limit is refused before it is decoded, whatever it begins with", () => {
    const runs = counter();
    return inProcess(server(runs), async (target) => {
      const state = await stateOf(target, 10);
      const long = [state.padEnd(65_536, "A"), state.padEnd(65_537, "A"), "A".repeat(10 * 1024 * 1024)];
      await refused(target, runs, 10, long);
      const body = M(retry(10, long[2]));
      const started = performance.now();
      refusal(await post(target, body));
      // 10 MiB have to be read as JSON; what is forbidden is decoding and decrypting them, or worse
      assert(performance.now() - started < 1000);
    }, { maxBody: 16 * 1024 * 1024 });
  });

  test("B10: 10 MiB of state are over the default body limit", () =>
    overHttp(server(counter()), async (target) => {
      const reply = await send(target, retry(10, "A".repeat(10 * 1024 * 1024)));
      assertEquals(reply.status, 413);
    }));

  test("B10: a state that would be over the limit is not sent, and the error names the limit", () =>
    inProcess(server(counter()), async (target) => {
      const error = fails(await send(target, first(60_000)), 200, -32603);
      assert(error.message.includes("65536"), error.message);
      assertEquals(asks(await send(target, first(40_000)), "who").state.length < 65_536, true);
    }));

  test("B10: why a state was refused is for the log alone, and the state itself is not even there", async () => {
    const kept = log();
    await inProcess(server(counter()), async (target) => {
      const state = await stateOf(target, 10);
      refusal(await send(target, retry(10, `${state}A`)));
      refusal(await send(target, retry(11, state)));
      refusal(await send(target, retry(10, 1)));
      const lines = kept.lines.map(({ text }) => text);
      assertEquals(lines.length, 3);
      assertEquals(lines.some((line) => line.includes(state.slice(20, 60)) || line.includes("Ada")), false);
    }, { layer: kept.layer });
  });
});
