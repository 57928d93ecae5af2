/**
 * Readers, in rounds without a server: which answer counts for which request (DESIGN, section 3, rules 4 to 6, and
 * section 6).
 */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, Need } from "@needful/mcp";
import { layerFlow } from "@needful/mcp/testing";
import type { JsonRecord } from "../../src/model/json.ts";
import type { Journal } from "../../src/run/journal.ts";
import type { InputRequired } from "../../src/run/outcome.ts";
import { carried, type Handler, run, type Setting, told, toldOutcome } from "../run/kit.ts";

const Name = Schema.Struct({ name: Schema.NonEmptyString });
const name = Manual.elicit({ message: "Name?", schema: Name });
const must = Manual.elicit({ message: "Really?", schema: Name, mustAsk: true });
const page = Manual.elicitUrl({ message: "Pay", url: "https://shop.example/1" });
const params = { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 } as const;
const poem = Manual.createMessage(params);
const roots = Manual.listRoots();
const requests = { name, must, page, poem, roots };

const accept = (content?: JsonRecord) => ({ action: "accept", ...(content === undefined ? {} : { content }) });
const said = { role: "assistant", model: "m", content: { type: "text", text: "A poem" } };
const answers = {
  name: accept({ name: "Ada" }),
  must: accept({ name: "Bea" }),
  page: accept(),
  poem: said,
  roots: { roots: [{ uri: "file:///a", name: "a" }] },
};

/** What an effect gives in a round. */
const given = async <A, E>(effect: Handler<A, E>, setting: Setting = {}): Promise<A> => {
  const outcome = await run(effect, setting);
  if (outcome._tag !== "Complete" || Exit.isFailure(outcome.exit)) throw new Error(toldOutcome(outcome));
  return outcome.exit.value;
};

/** The round after one that returned `asked`, with these answers. */
const after = async (
  asked: Manual.Requests,
  responses: JsonRecord,
  setting: Setting = {},
): Promise<Setting & { readonly journal: Journal }> => {
  const outcome = await run(Effect.succeed(Manual.inputRequired({ inputRequests: asked, requestState: "s" })), setting);
  assertEquals(outcome._tag, "InputRequired", toldOutcome(outcome));
  return { journal: carried((outcome as InputRequired).journal), responses };
};

const keys = (partial: object): string => Object.keys(partial).join(",");

describe("responses", () => {
  test("responses: each answer in the form of its request", async () => {
    assertEquals(await given(Manual.responses(requests), await after(requests, answers)), {
      name: { action: "accept", content: { name: "Ada" } },
      must: { action: "accept", content: { name: "Bea" } },
      page: { action: "accept" },
      poem: { role: "assistant", model: "m", content: [{ type: "text", text: "A poem" }] },
      roots: { roots: [{ uri: "file:///a", name: "a" }] },
    });
  });

  test("responses: a no is an answer, and tells decline from cancel", async () => {
    for (const action of ["decline", "cancel"]) {
      const setting = await after(requests, { name: { action }, page: { action } });
      const { name, page } = await given(Manual.responses(requests), setting);
      assertEquals<unknown>([name, page], [{ action }, { action }]);
    }
  });

  test("responses: undefined on the first call, and for what is missing, malformed or invalid (B12, B13)", async () => {
    const nothing = { name: undefined, must: undefined, page: undefined, poem: undefined, roots: undefined };
    assertEquals<unknown>(await given(Manual.responses(requests)), nothing);
    for (
      const bad of [
        {},
        { name: { name: "Ada" }, poem: { role: "assistant" }, roots: { roots: {} }, page: { action: "reject" } },
        { name: accept({ name: 7 }), poem: { ...said, content: {} }, roots: { roots: [{ uri: "http://a" }] }, page: 1 },
        { name: accept(), poem: null, roots: [], page: "accept" },
        { name: accept({ name: "" }) },
      ]
    ) assertEquals<unknown>(await given(Manual.responses(requests), await after(requests, bad)), nothing);
  });

  test("responses: content is decoded by the schema, and fields that it does not know are gone", async () => {
    const schema = Schema.Struct({ n: Schema.NumberFromString, ok: Schema.optionalKey(Schema.Boolean) });
    const form = { n: Manual.elicit({ message: "N?", schema }) };
    const setting = await after(form, { n: accept({ n: "7", stray: 1 }) });
    assertEquals(await given(Manual.responses(form), setting), { n: { action: "accept", content: { n: 7 } } });
  });

  test("responses: a copy of a request is that request, frozen or not", async () => {
    const schema = Schema.Struct({ n: Schema.NumberFromString });
    const n = Manual.elicit({ message: "N?", schema, mustAsk: true });
    for (const form of [Object.freeze(n), { ...n }, Object.freeze(Object.assign({}, n))]) {
      const copies = Object.freeze({ n: form, page: { ...page }, poem: { ...poem } });
      const setting = await after(copies, { n: accept({ n: "7" }), page: accept(), poem: said });
      const { n: answer, poem: message } = await given(Manual.responses(copies), setting);
      assertEquals<unknown>(answer, { action: "accept", content: { n: 7 } });
      assertEquals(message?.content, [{ type: "text", text: "A poem" }]);
      assertEquals(await given(Manual.responses({ n: form }), { responses: { n: accept({ n: "7" }) } }), {
        n: undefined,
      });
    }
  });

  test("responses: keys of any name are only keys", async () => {
    const odd = Object.fromEntries(["__proto__", "constructor", "toString"].map((key) => [key, name]));
    const none = await given(Manual.responses(odd), await after(odd, {}));
    assertEquals(Object.entries(none), [["__proto__", undefined], ["constructor", undefined], ["toString", undefined]]);
    const sent = JSON.parse('{"__proto__":{"action":"decline"}}');
    const some = await given(Manual.responses(odd), await after(odd, sent));
    assertEquals(Object.entries(some)[0], ["__proto__", { action: "decline" }]);
  });
});

describe("which answer counts", () => {
  test("without a state: what is volunteered to a form, and to nothing else (rule 4)", async () => {
    const volunteered = await given(Manual.responses(requests), { responses: answers });
    assertEquals<unknown>(volunteered, {
      name: { action: "accept", content: { name: "Ada" } },
      must: undefined,
      page: undefined,
      poem: undefined,
      roots: undefined,
    });
  });

  test("with a state: only what this flow asked, and as it asked it (B05)", async () => {
    const setting = await after({ name }, answers);
    assertEquals(keys(await given(Manual.missing(requests), setting)), "must,page,poem,roots");
    const other = Manual.elicit({ message: "Another name?", schema: Name });
    assertEquals(await given(Manual.responses({ name: other }), setting), { name: undefined });
  });

  test("the URL is no part of a page's question, so that it may change from round to round", async () => {
    const again = { page: Manual.elicitUrl({ message: "Pay", url: "https://shop.example/2" }) };
    const setting = await after({ page }, { page: accept() });
    assertEquals(await given(Manual.responses(again), setting), { page: { action: "accept" } });
  });

  test("answers of earlier rounds stay, also where only some came (rule 6, B15)", async () => {
    const two = { name, must };
    const second = await after(two, { name: answers.name, stray: accept() });
    assertEquals(keys(await given(Manual.missing(two), second)), "must");
    const third = await after({ must }, { must: answers.must }, second);
    assertEquals(await given(Manual.responses(two), third), {
      name: { action: "accept", content: { name: "Ada" } },
      must: { action: "accept", content: { name: "Bea" } },
    });
  });

  test("a volunteered answer that was read stays too", async () => {
    const reads = Effect.andThen(
      Manual.responses({ name }),
      Effect.succeed(Manual.inputRequired({ inputRequests: { must } })),
    );
    const outcome = await run(reads, { responses: { name: answers.name } }) as InputRequired;
    const next = { journal: carried(outcome.journal), responses: { must: answers.must } };
    assertEquals(keys(await given(Manual.missing({ name, must }), next)), "");
  });

  test("to return a request again asks again: the answer from before is gone", async () => {
    const second = await after({ name }, { name: { action: "decline" } });
    assertEquals(keys(await given(Manual.missing({ name }), second)), "");
    const third = await after({ name }, {}, second);
    assertEquals(keys(await given(Manual.missing({ name }), third)), "name");
    const answered = await after({ name }, { name: answers.name }, second);
    assertEquals(await given(Manual.responses({ name }), answered), {
      name: { action: "accept", content: { name: "Ada" } },
    });
  });

  test("an answer that is no good is told when its request is returned again (rule 5)", async () => {
    const second = await after({ name, must }, { name: accept({ name: "" }), must: { action: "decline" } });
    const outcome = await run(Effect.succeed(Manual.inputRequired({ inputRequests: { name, must } })), second);
    const [first, other] = (outcome as InputRequired).questions.map(({ question }) => question.params);
    assertEquals(
      (first as { message: string }).message,
      'The last answer cannot be used: "name" must have at least 1 character\n\nName?',
    );
    assertEquals((other as { message: string }).message, "Really?");
    // The reason is no part of the question: the next answer belongs to it.
    const third = { journal: carried((outcome as InputRequired).journal), responses: { name: answers.name } };
    assertEquals(keys(await given(Manual.missing({ name }), third)), "");
  });
});

describe("accepted", () => {
  const read = (responses: JsonRecord) =>
    Effect.flatMap(
      Effect.promise(() => after(requests, responses)),
      (setting) => Effect.promise(() => run(Manual.accepted(requests, "name"), setting)),
    );

  const tells = async (responses: JsonRecord): Promise<string> => {
    const outcome = await Effect.runPromise(read(responses));
    return outcome._tag === "Complete" ? told(Exit.map(outcome.exit, Option.getOrNull)) : toldOutcome(outcome);
  };

  test("accepted: the content; none where it is missing or refused; a failure where it is invalid", async () => {
    assertEquals(await tells({ name: answers.name }), 'ok {"name":"Ada"}');
    for (const responses of [{}, { name: { action: "decline" } }, { name: { action: "cancel" } }]) {
      assertEquals(await tells(responses), "ok null");
    }
    for (const bad of [accept({ name: "" }), accept(), accept({ name: 1 }), { name: "Ada" }, 7]) {
      assertEquals(await tells({ name: bad }), "fail InvalidAnswer name");
    }
  });

  test("accepted: keys that are computed are only keys; one that is not in the map has no content", async () => {
    const computed: { readonly [key: string]: typeof name } = { a: name };
    const setting = await after(
      computed,
      JSON.parse('{"a":{"action":"accept","content":{"name":"Ada"}},"toString":7}'),
    );
    assertEquals(await given(Manual.accepted(computed, "a"), setting), Option.some({ name: "Ada" }));
    for (const key of ["b", "toString", "constructor", "__proto__", "hasOwnProperty"]) {
      assertEquals(await given(Manual.accepted(computed, key), setting), Option.none(), key);
    }
  });

  test("accepted: the failure says what is wrong, and repeats nothing of the answer", async () => {
    const setting = await after(requests, { name: accept({ name: 1234 }) });
    const error = await given(Effect.flip(Manual.accepted(requests, "name")), setting);
    assertEquals(error.message, '"name": The last answer cannot be used: "name" must be a text');
  });
});

describe("missing, supported, canRequest", () => {
  test("missing: declined and cancelled are answers, what is invalid is none", async () => {
    const responses = { name: { action: "decline" }, must: { action: "cancel" }, page: { action: "?" }, poem: said };
    assertEquals(keys(await given(Manual.missing(requests), await after(requests, responses))), "page,roots");
    assertEquals(keys(await given(Manual.missing({}), {})), "");
  });

  test("missing and supported: compose in either order", async () => {
    const setting = { ...await after(requests, { name: answers.name }), capabilities: { elicitation: {}, roots: {} } };
    const one = await given(Effect.flatMap(Manual.missing(requests), Manual.supported), setting);
    const other = await given(Effect.flatMap(Manual.supported(requests), Manual.missing), setting);
    assertEquals([keys(one), keys(other)], ["must,roots", "must,roots"]);
    assertEquals(one.roots, roots);
  });

  // 2026-07-28, client/elicitation and client/sampling, "Capabilities"; B18.
  const tools = [{ name: "t", inputSchema: { type: "object" } }] as const;
  const matrix: ReadonlyArray<[JsonRecord, Manual.Request<unknown>, ReadonlyArray<string>]> = [
    [{}, name, ["elicitation.form"]],
    [{ elicitation: {} }, name, []],
    [{ elicitation: { form: {} } }, name, []],
    [{ elicitation: { url: {} } }, name, ["elicitation.form"]],
    [{ elicitation: true }, name, ["elicitation.form"]],
    [{ elicitation: { form: 1 } }, name, ["elicitation.form"]],
    [{ elicitation: {} }, page, ["elicitation.url"]],
    [{ elicitation: { url: {} } }, page, []],
    [{}, poem, ["sampling"]],
    [{ sampling: {} }, poem, []],
    [{ sampling: [] }, poem, ["sampling"]],
    [{ sampling: {} }, Manual.createMessage({ ...params, tools }), ["sampling.tools"]],
    [{ sampling: { tools: {} } }, Manual.createMessage({ ...params, tools }), []],
    [{ sampling: {} }, Manual.createMessage({ ...params, includeContext: "thisServer" }), ["sampling.context"]],
    [{ sampling: { context: {} } }, Manual.createMessage({ ...params, includeContext: "thisServer" }), []],
    [{}, Manual.createMessage({ ...params, tools, includeContext: "allServers" }), [
      "sampling",
      "sampling.tools",
      "sampling.context",
    ]],
    [{}, roots, ["roots"]],
    [{ roots: 1 }, roots, ["roots"]],
    [{ roots: {} }, roots, []],
  ];
  for (const [capabilities, request, missing] of matrix) {
    const lacks = missing.length === 0 ? "nothing" : missing.join(", ");
    test(`the gate: ${JSON.stringify(capabilities)} lacks ${lacks} for ${JSON.stringify(request).slice(0, 50)}`, async () => {
      assertEquals(await given(Manual.canRequest(request), { capabilities }), missing.length === 0);
      assertEquals(
        keys(await given(Manual.supported({ request }), { capabilities })),
        missing.length > 0 ? "" : "request",
      );
      const outcome = await run(Effect.succeed(Manual.inputRequired({ inputRequests: { request } })), { capabilities });
      assertEquals(toldOutcome(outcome), missing.length > 0 ? `lacks ${missing}` : "asks request");
    });
  }

  test("the gate: names all that is missing, once, in the order of the protocol", async () => {
    const outcome = await run(Effect.succeed(Manual.inputRequired({ inputRequests: requests })), { capabilities: {} });
    assertEquals(toldOutcome(outcome), "lacks elicitation.form,elicitation.url,sampling,roots");
  });

  test("the gate: asks for what is returned, not for what is answered (rule 6)", async () => {
    const setting = { ...await after({ name }, { name: answers.name }), capabilities: { roots: {} } };
    const outcome = await run(Effect.succeed(Manual.inputRequired({ inputRequests: { roots } })), setting);
    assertEquals(toldOutcome(outcome), "asks roots");
  });
});

describe("reads that check nothing", () => {
  test("acceptedUnchecked: whatever an accepted form holds, valid or not, asked as it was or not", async () => {
    const read = (responses: JsonRecord) => async (key: string) =>
      Option.getOrNull(await given(Manual.acceptedUnchecked(key), await after({ name }, responses)));
    assertEquals(await read({ name: accept({ name: 7, more: true }) })("name"), { name: 7, more: true });
    assertEquals(await read({ name: accept() })("name"), {});
    for (const bad of [{ action: "decline" }, { action: "accept", content: [] }, { name: "Ada" }, 1]) {
      assertEquals(await read({ name: bad })("name"), null);
    }
    assertEquals(await read(answers)("must"), null, "this flow never asked under the key");
    assertEquals(await read({})("toString"), null);
    const third = await after({ must }, {}, await after({ name }, { name: answers.name }));
    assertEquals(await given(Manual.acceptedUnchecked("name"), third), Option.some({ name: "Ada" }));
  });

  test("rawResponses: the request's member as it came; none on the first call", async () => {
    assertEquals(await given(Manual.rawResponses), Option.none());
    const odd = { name: 1, stray: [true] };
    assertEquals(await given(Manual.rawResponses, await after({ name }, odd)), Option.some(odd));
  });

  test("rawState: the text of the round before, to the letter; none without one", async () => {
    assertEquals(await given(Manual.rawState), Option.none());
    for (const requestState of ["", "s", '{"a":1}', "\u0000\ud800 é日本語\n", "x".repeat(1000)]) {
      const outcome = await run(Effect.succeed(Manual.inputRequired({ requestState }))) as InputRequired;
      assertEquals(toldOutcome(outcome), "asks");
      const next = { journal: carried(outcome.journal) };
      assertEquals(await given(Manual.rawState, next), Option.some(requestState));
      const third = await run(Effect.succeed(Manual.inputRequired({ inputRequests: { name } })), next) as InputRequired;
      assertEquals(await given(Manual.rawState, { journal: carried(third.journal) }), Option.none());
    }
  });
});

describe("without a server", () => {
  const reads = Effect.all({
    missing: Effect.map(Manual.missing(requests), keys),
    name: Effect.map(Manual.responses(requests), ({ name }) => name),
    accepted: Effect.option(Effect.flatMap(Manual.accepted(requests, "name"), Effect.fromOption)),
    state: Effect.map(Manual.rawState, Option.getOrNull),
    raw: Effect.map(Manual.rawResponses, Option.getOrNull),
  });

  test("layerFlow: is one request with what it brings", async () => {
    assertEquals<unknown>(await Effect.runPromise(Effect.provide(reads, layerFlow())), {
      missing: "name,must,page,poem,roots",
      name: undefined,
      accepted: Option.none(),
      state: null,
      raw: null,
    });
    const responses = { name: answers.name, roots: answers.roots };
    const brought = layerFlow({ responses, requestState: "s" });
    assertEquals<unknown>(await Effect.runPromise(Effect.provide(reads, brought)), {
      missing: "must,page,poem",
      name: { action: "accept", content: { name: "Ada" } },
      accepted: Option.some({ name: "Ada" }),
      state: "s",
      raw: responses,
    });
  });

  test("layerFlow: says what its client can be asked", async () => {
    const supported = Effect.map(Manual.supported(requests), keys);
    const can = Effect.zipWith(supported, Manual.canRequest(roots), (all, one) => `${all} ${one}`);
    const told = (capabilities?: ReadonlyArray<"elicitation.form" | "roots">) =>
      Effect.runPromise(Effect.provide(can, layerFlow(capabilities === undefined ? {} : { capabilities })));
    assertEquals(await told(), "name,must,page,poem,roots true");
    assertEquals(await told(["elicitation.form"]), "name,must false");
    assertEquals(await told(["roots"]), "roots true");
  });

  test("readers: outside of a call there is no answer and no state, and a state cannot be refused", async () => {
    const flow: Need.FlowPort = {
      info: Effect.die("unused"),
      supports: () => Effect.succeed(false),
      once: () => Effect.die("unused"),
      get: () => Effect.die("unused"),
      update: () => Effect.die("unused"),
      onCommit: () => Effect.die("unused"),
      again: Effect.die("unused"),
    };
    const outside = Effect.provideService(reads, Need.Flow, flow);
    assertEquals<unknown>((await Effect.runPromise(outside)).missing, "name,must,page,poem,roots");
    const refused = Effect.provideService(Manual.refuseState("no"), Need.Flow, flow);
    assertEquals(told(await Effect.runPromiseExit(refused)), "die The request state was refused: no");
  });
});
