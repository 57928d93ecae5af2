/** Answers and questions: rules 3 to 6 of DESIGN.md, section 3, and cases B05, B12, B13, B15 as far as they concern a round. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { JsonRecord } from "../../src/model/json.ts";
import * as Need from "../../src/need/mod.ts";
import type { Journal } from "../../src/run/journal.ts";
import type { InputRequired } from "../../src/run/outcome.ts";
import { ask } from "./ask.ts";
import { carried, type Handler, run, toldOutcome } from "./kit.ts";

const yes = (v: unknown) => ({ action: "accept", content: { v } });

/** The interim result of a round that asks. */
const asking = async (handler: Handler, setting: Parameters<typeof run>[1] = {}): Promise<InputRequired> => {
  const outcome = await run(handler, setting);
  assert(outcome._tag === "InputRequired", toldOutcome(outcome));
  return outcome;
};

/** The journal after a first round. */
const asked = async (handler: Handler): Promise<Journal> => carried((await asking(handler)).journal);

const keys = ({ questions }: InputRequired): ReadonlyArray<string> => questions.map(({ key }) => key);

const messages = ({ questions }: InputRequired): ReadonlyArray<string> =>
  questions.map(({ question }) => question.method === "elicitation/create" ? question.params.message : "");

const two = Effect.all([ask("a"), ask("b")], { concurrency: 2 });

describe("an answer with a state", () => {
  test("counts for a question that this flow put (rule 4)", async () => {
    assertEquals(
      toldOutcome(await run(ask("a"), { journal: await asked(ask("a")), responses: { a: yes("x") } })),
      'ok "x"',
    );
  });

  test("does not count for one that this flow did not put (rule 4, B05)", async () => {
    const journal = await asked(ask("a"));
    const handler = Effect.andThen(ask("a"), ask("b"));
    assertEquals(keys(await asking(handler, { journal, responses: { a: yes("x"), b: yes("y") } })), ["b"]);
  });

  test("does not count for a changed question, which is asked anew (rule 4)", async () => {
    const journal = await asked(ask("a", "one"));
    const again = await asking(ask("a", "two"), { journal, responses: { a: yes("x") } });
    assertEquals(messages(again), ["two"]);
    const answered = await run(ask("a", "two"), { journal: carried(again.journal), responses: { a: yes("y") } });
    assertEquals(toldOutcome(answered), 'ok "y"');
  });

  test("does not count once the question it answered has changed, though it was accepted (rule 4)", async () => {
    const handler = (message: string) => Effect.andThen(ask("a", message), ask("b"));
    const second = await asking(handler("one"), { journal: await asked(handler("one")), responses: { a: yes("x") } });
    assertEquals(
      messages(await asking(handler("two"), { journal: carried(second.journal), responses: { b: yes("y") } })),
      ["two"],
    );
  });

  test("is not replaced by a later one (rule 6)", async () => {
    const handler = Effect.all([ask("a"), ask("b")]);
    const second = await asking(handler, { journal: await asked(handler), responses: { a: yes("first") } });
    const third = await run(handler, {
      journal: carried(second.journal),
      responses: { a: yes("second"), b: yes("b") },
    });
    assertEquals(toldOutcome(third), 'ok ["first","b"]');
  });

  test("is kept where others are missing, and only those are asked again (rule 6, B15)", async () => {
    const second = await asking(two, { journal: await asked(two), responses: { a: yes("x"), z: yes("?") } });
    assertEquals(keys(second), ["b"]);
    const none = await asking(two, { journal: carried(second.journal), responses: {} });
    assertEquals(keys(none), ["b"]);
    assertEquals(
      toldOutcome(await run(two, { journal: carried(none.journal), responses: { b: yes("y") } })),
      'ok ["x","y"]',
    );
  });

  test("is kept for a question that the round does not come to (rule 6)", async () => {
    const journal = await asked(two);
    const detour = await asking(ask("c"), { journal, responses: { b: yes("y") } });
    assertEquals(keys(detour), ["c"]);
    const back = await asking(two, { journal: carried(detour.journal), responses: {} });
    assertEquals(keys(back), ["a"]);
    assertEquals(
      toldOutcome(await run(two, { journal: carried(back.journal), responses: { a: yes("x") } })),
      'ok ["x","y"]',
    );
  });

  test("still counts in a later round than the next (rule 6)", async () => {
    const detour = await asking(ask("c"), { journal: await asked(two), responses: {} });
    const late = await asking(Effect.all([two, ask("c")], { concurrency: 2 }), {
      journal: carried(detour.journal),
      responses: { a: yes("x"), b: yes("y") },
    });
    assertEquals(keys(late), ["c"]);
  });

  test("is its own property: none is found on a prototype chain (rule 3)", async () => {
    const journal = await asked(ask("toString"));
    assertEquals(keys(await asking(ask("toString"), { journal, responses: {} })), ["toString"]);
    const inherited: JsonRecord = Object.create({ toString: yes("x") });
    assertEquals(keys(await asking(ask("toString"), { journal, responses: inherited })), ["toString"]);
  });
});

describe("an answer that is no good", () => {
  const malformed = ["x", 1, null, [], {}, true, { action: "reject" }, { v: "x" }, { action: "accept", content: [] }];
  const invalid = [yes(7), { action: "accept" }, { action: "accept", content: {} }];

  test("is asked again with the reason before the message, and never reaches the handler (rule 5, B12, B13)", async () => {
    for (const answer of [...malformed, ...invalid]) {
      const outcome = await asking(ask("a"), { journal: await asked(ask("a")), responses: { a: answer } });
      assertEquals(keys(outcome), ["a"]);
      assert(messages(outcome)[0]!.endsWith("\n\n? a"), messages(outcome)[0]);
      assert(messages(outcome)[0]!.length > "\n\n? a".length);
    }
  });

  test("leaves the question the same: the answer to the one with the reason counts (rule 4)", async () => {
    const second = await asking(ask("a"), { journal: await asked(ask("a")), responses: { a: yes(7) } });
    assertEquals(
      toldOutcome(await run(ask("a"), { journal: carried(second.journal), responses: { a: yes("x") } })),
      'ok "x"',
    );
  });

  test("has its reason dropped when nothing is answered next time", async () => {
    const second = await asking(ask("a"), { journal: await asked(ask("a")), responses: { a: yes(7) } });
    assertEquals(messages(await asking(ask("a"), { journal: carried(second.journal), responses: {} })), ["? a"]);
  });

  test("is asked again even when it was good in an earlier round: stored answers are read again (rule 5)", async () => {
    const form = (schema: Schema.Codec<string, string>) =>
      Effect.andThen(Need.elicit("a", { message: "?", schema: Schema.Struct({ v: schema }) }), ask("b"));
    // The wire cannot say the second check, so that the question stays the same.
    const strict = Schema.String.check(Schema.makeFilter((text) => text === "good" || "not good"));
    const second = await asking(form(Schema.String), {
      journal: await asked(form(Schema.String)),
      responses: { a: yes("bad") },
    });
    assertEquals(keys(second), ["b"]);
    const third = await asking(form(strict), { journal: carried(second.journal), responses: { b: yes("y") } });
    assertEquals(keys(third), ["a"]);
    assertStringIncludes(messages(third)[0]!, "not good");
    const fourth = await run(form(strict), { journal: carried(third.journal), responses: { a: yes("good") } });
    assertEquals(toldOutcome(fourth), 'ok "y"');
  });

  test("is no refusal: decline and cancel are answers, and are not validated (rule 2, B13)", async () => {
    for (const [action, told] of [["decline", "fail Declined a"], ["cancel", "fail Cancelled a"]] as const) {
      const responses = { a: { action, content: 7, more: true } };
      assertEquals(toldOutcome(await run(ask("a"), { journal: await asked(ask("a")), responses })), told);
    }
  });
});

describe("a volunteered answer", () => {
  test("saves the round trip of an elicit (rule 4)", async () => {
    assertEquals(toldOutcome(await run(ask("a"), { responses: { a: yes("x") } })), 'ok "x"');
  });

  test("is kept for later rounds once it was used (rule 6)", async () => {
    const handler = Effect.all([ask("a"), ask("b")]);
    const first = await asking(handler, { responses: { a: yes("x") } });
    assertEquals(keys(first), ["b"]);
    const second = await run(handler, { journal: carried(first.journal), responses: { b: yes("y") } });
    assertEquals(toldOutcome(second), 'ok ["x","y"]');
  });

  test("is ignored where nothing is asked (B05)", async () => {
    assertEquals(toldOutcome(await run(Effect.succeed(1), { responses: { a: { action: "decline" } } })), "ok 1");
  });

  test("is never used for confirm, elicitUrl, sample, roots, or with mustAsk (rule 4, B05)", async () => {
    const form = Schema.Struct({ v: Schema.String });
    const needs: ReadonlyArray<readonly [Handler, unknown]> = [
      [Need.confirm("k", "Sure?"), { action: "accept", content: { ok: true } }],
      [Need.elicitUrl("k", { message: "?", url: "https://example.org", done: Effect.succeedSome(1) }), {
        action: "accept",
      }],
      [Need.roots("k"), { roots: [] }],
      [Need.elicit("k", { message: "?", schema: form, mustAsk: true }), yes("x")],
    ];
    for (const [need, answer] of needs) assertEquals(keys(await asking(need, { responses: { k: answer } })), ["k"]);
  });

  test("that is no good is asked, with the reason", async () => {
    const first = await asking(ask("a"), { responses: { a: yes(7) } });
    assert(messages(first)[0]!.endsWith("\n\n? a"));
  });
});

describe("confirm (B22)", () => {
  test("is true only for accept with ok: true, in answer to this question", async () => {
    const confirm = Need.confirm("drop", "Drop it?");
    const journal = await asked(confirm);
    const answers: ReadonlyArray<readonly [unknown, string]> = [
      [{ action: "accept", content: { ok: true } }, "ok true"],
      [{ action: "accept", content: { ok: false } }, "ok false"],
      [{ action: "decline" }, "ok false"],
      [{ action: "cancel" }, "ok false"],
      [{ action: "accept" }, "asks drop"],
      [{ action: "accept", content: { ok: "true" } }, "asks drop"],
      [{ action: "accept", content: { ok: 1 } }, "asks drop"],
      [{ ok: true }, "asks drop"],
    ];
    for (const [answer, told] of answers) {
      assertEquals(toldOutcome(await run(confirm, { journal, responses: { drop: answer } })), told);
    }
    const other = await asked(Need.confirm("drop", "Drop another?"));
    const responses = { drop: { action: "accept", content: { ok: true } } };
    assertEquals(toldOutcome(await run(confirm, { journal: other, responses })), "asks drop");
    assertEquals(toldOutcome(await run(confirm, { responses })), "asks drop");
  });

  test("cannot be asked is no answer: what follows does not run, whatever catches around it", async () => {
    let dropped = 0;
    const confirm = Need.confirm("drop", "Drop it?").pipe(Effect.catchCause(() => Effect.succeed(true)));
    const drop = Effect.flatMap(confirm, (sure) => Effect.sync(() => sure ? dropped++ : 0));
    for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }]) {
      assertEquals(toldOutcome(await run(drop, { capabilities })), "lacks elicitation.form");
    }
    assertEquals(dropped, 0);
  });
});

describe("the capability gate", () => {
  test("names what each question needs, and nothing else (B18)", async () => {
    const sample = Need.sample("k", {
      messages: [{ role: "user", content: { type: "text", text: "?" } }],
      maxTokens: 1,
      tools: [{ name: "t", inputSchema: { type: "object" } }],
    });
    const url = Need.elicitUrl("k", { message: "?", url: "https://example.org", done: Effect.succeedNone });
    const matrix: ReadonlyArray<readonly [JsonRecord, Handler, string]> = [
      [{}, ask("k"), "lacks elicitation.form"],
      [{ elicitation: {} }, ask("k"), "asks k"],
      [{ elicitation: {} }, url, "lacks elicitation.url"],
      [{ elicitation: { url: {} } }, ask("k"), "lacks elicitation.form"],
      [{ elicitation: { url: {} } }, url, "asks k"],
      [{ sampling: {} }, sample, "lacks sampling.tools"],
      [{}, sample, "lacks sampling,sampling.tools"],
      [{ roots: {} }, Need.roots("k"), "asks k"],
    ];
    for (const [capabilities, need, told] of matrix) assertEquals(toldOutcome(await run(need, { capabilities })), told);
  });

  test("looks at what is sent, not at what is answered (rule 6), and at this request only (B23)", async () => {
    const handler = Effect.andThen(ask("a"), ask("b"));
    const journal = await asked(handler);
    const setting = { journal, capabilities: {} };
    assertEquals(toldOutcome(await run(ask("a"), { ...setting, responses: { a: yes("x") } })), 'ok "x"');
    assertEquals(toldOutcome(await run(handler, { ...setting, responses: { a: yes("x") } })), "lacks elicitation.form");
  });

  test("is what supports says", async () => {
    const kinds = [
      "elicitation.form",
      "elicitation.url",
      "sampling",
      "sampling.tools",
      "sampling.context",
      "roots",
    ] as const;
    const says = Effect.forEach(kinds, Need.supports);
    assertEquals(
      toldOutcome(await run(says, { capabilities: { elicitation: {}, sampling: { tools: {} } } })),
      "ok [true,false,true,true,false,false]",
    );
  });
});
