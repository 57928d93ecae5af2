/** Test layers: needs answered from plain values, through the need's own reading of answers. */
import { describe, test } from "node:test";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Need from "../../src/need/mod.ts";
import { accept, cancel, decline, rooted, sampled } from "../../src/testing/answer.ts";
import { layerFlow } from "../../src/testing/flow.ts";
import { layerElicitation, layerRoots, layerSampling } from "../../src/testing/layers.ts";

const Person = Schema.Struct({ name: Schema.NonEmptyString });
const who = Need.elicit("who", { message: "Who are you?", schema: Person });

/** The message of the defect that an effect dies with. */
const defect = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isFailure(exit) ? String((Cause.squash(exit.cause) as Error).message) : "no defect";

describe("layerElicitation", () => {
  test("layerElicitation: gives the decoded content of an accepted form", async () => {
    const answer = await Effect.runPromise(
      Effect.provide(who, layerElicitation({ who: accept({ name: "Ada" }) })),
    );
    assertEquals(answer, { name: "Ada" });
  });

  test("layerElicitation: tells declined from cancelled", async () => {
    const tag = (answer: typeof decline) =>
      Effect.runPromise(who.pipe(
        Effect.catchTags({
          Declined: (error) => Effect.succeed(`${error._tag} ${error.key}`),
          Cancelled: (error) => Effect.succeed(`${error._tag} ${error.key}`),
        }),
        Effect.provide(layerElicitation({ who: answer })),
      ));
    assertEquals(await tag(decline), "Declined who");
    assertEquals(await tag(cancel), "Cancelled who");
  });

  test("layerElicitation: takes the next answer of a list after an invalid one, with the reason in the message", async () => {
    const messages: Array<string> = [];
    const answer = await Effect.runPromise(Effect.provide(
      who,
      layerElicitation({
        who: [
          accept({ name: "" }),
          (asked) => {
            messages.push(asked.message);
            return accept({ name: "Ada" });
          },
        ],
      }),
    ));
    assertEquals(answer, { name: "Ada" });
    assertEquals(messages.length, 1);
    assertStringIncludes(messages[0]!, "\n\nWho are you?");
    assertStringIncludes(messages[0]!, "name");
  });

  test("layerElicitation: dies, naming key and message, when a question has no answer", async () => {
    const exit = await Effect.runPromiseExit(Effect.provide(who, layerElicitation({ else: accept() })));
    assertEquals(
      defect(exit),
      '"who" was asked, but the script has no answer for it: "Who are you?"; it has answers for "else"',
    );
  });

  test("layerElicitation: dies when the only answer is invalid", async () => {
    const exit = await Effect.runPromiseExit(Effect.provide(who, layerElicitation({ who: accept({ name: 7 }) })));
    assertStringIncludes(defect(exit), '"who" was asked more often (2) than the script answers it');
  });

  test("layerElicitation: answers from the question, by a function, an effect or a promise", async () => {
    const greet = (name: string) => Need.elicit(name, { message: `Who is ${name}?`, schema: Person });
    const names = await Effect.runPromise(
      Effect.all([greet("a"), greet("b"), greet("c")]).pipe(Effect.provide(layerElicitation({
        a: (asked) => accept({ name: asked.message }),
        b: (asked) => Effect.succeed(accept({ name: asked.key })),
        c: (asked) => Promise.resolve(accept({ name: asked.method })),
      }))),
    );
    assertEquals(names.map(({ name }) => name), ["Who is a?", "b", "elicitation/create"]);
  });

  test("layerElicitation: waits on the Clock until the page of a URL question is done", async () => {
    const program = Effect.gen(function* () {
      let finished = false;
      const fiber = yield* Need.elicitUrl("account", {
        message: "Which account?",
        url: (interaction) => `https://shop.example/connect/${interaction}`,
        done: Effect.sync(() => finished ? Option.some("A-1") : Option.none()),
      }).pipe(Effect.forkChild);
      yield* TestClock.adjust("3 seconds");
      const before = fiber.pollUnsafe();
      finished = true;
      yield* TestClock.adjust("1 second");
      return [before, yield* Fiber.join(fiber)];
    });
    const seen: Array<string | undefined> = [];
    const layer = layerElicitation({
      account: (asked) => {
        seen.push(asked.url);
        return accept();
      },
    });
    assertEquals(
      await Effect.runPromise(Effect.provide(program, Layer.merge(layer, TestClock.layer()))),
      [undefined, "A-1"],
    );
    assertEquals(seen, ["https://shop.example/connect/interaction-account"]);
  });
});

describe("layerSampling and layerRoots", () => {
  const poem = Need.sample("poem", {
    messages: [{ role: "user", content: { type: "text", text: "A poem, please" } }],
    maxTokens: 10,
  });

  test("layerSampling: gives the sample with its content as a list", async () => {
    const sample = await Effect.runPromise(Effect.provide(poem, layerSampling({ poem: sampled("Roses") })));
    assertEquals(sample.content, [{ type: "text", text: "Roses" }]);
    assertEquals(sample.model, "test-model");
  });

  test("layerRoots: gives the roots for any key", async () => {
    const roots = await Effect.runPromise(
      Effect.all([Need.roots(), Need.roots("again")]).pipe(
        Effect.provide(layerRoots(["file:///a", { uri: "file:///b", name: "b" }])),
      ),
    );
    const both = [{ uri: "file:///a" }, { uri: "file:///b", name: "b" }];
    assertEquals(roots, [both, both]);
    assertEquals(rooted(["file:///a"]), { roots: [{ uri: "file:///a" }] });
  });

  test("layerFlow: decides by its capabilities what supports, attempt and optional see", async () => {
    const program = Effect.gen(function* () {
      const supported = yield* Need.supports("sampling");
      const none = yield* Need.optional(poem);
      const error = yield* Effect.flip(Need.attempt(Effect.map(poem, () => "asked")));
      return [supported, none, error._tag];
    });
    const layers = Layer.mergeAll(layerSampling({}), layerFlow({ capabilities: ["elicitation.form"] }));
    assertEquals(
      await Effect.runPromise(Effect.provide(program, layers)),
      [false, Option.none(), "Unanswerable"],
    );
  });

  test("layerFlow: lets no handler catch that a question cannot be put to the client", async () => {
    const caught = Effect.catch(poem, () => Effect.succeed("caught"));
    const layers = Layer.mergeAll(layerSampling({}), layerFlow({ capabilities: [] }));
    const exit = await Effect.runPromiseExit(Effect.provide(caught, layers));
    assertEquals(defect(exit), 'Cannot ask "poem": the client lacks sampling');
  });
});
