/** What the types of the verbs promise. `deno check` of this file is the test. */
import { test } from "node:test";
import { assert } from "@std/assert";
import * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Call from "../../src/need/call.ts";
import * as Need from "../../src/need/mod.ts";
import { check, type Equal, same } from "../types.ts";

/** What an effect gives, fails with and needs. */
type Of<T> = [Effect.Success<T>, Effect.Error<T>, Effect.Services<T>];

type No = Need.Declined | Need.Cancelled;
const message = "?";

interface Broke {
  readonly _tag: "Broke";
  readonly why: string;
}
interface Other {
  readonly _tag: "Other";
  readonly why: string;
}

check(() => {
  const Person = Schema.Struct({ name: Schema.NonEmptyString, age: Schema.optionalKey(Schema.Int) });
  const person = Need.elicit("who", { message, schema: Person });
  same<Equal<Of<typeof person>, [{ readonly name: string; readonly age?: number }, No, Need.Elicitation]>>();
  // @ts-expect-error -- the answer has no such field
  check(() => Effect.map(person, (p) => p.surname));
  // @ts-expect-error -- a name is no number
  check(() => Effect.map(person, (p): number => p.name));
  // @ts-expect-error -- elicitation cannot be refused
  check(() => Effect.catchTag(person, "Refused", () => Effect.void));
  const t2 = Effect.catchTag(person, "Declined", () => Effect.succeed("no" as const));
  same<
    Equal<Of<typeof t2>, [{ readonly name: string; readonly age?: number } | "no", Need.Cancelled, Need.Elicitation]>
  >();
  class Pet extends Schema.Class<Pet>("Pet")({ name: Schema.String }) {}
  const t3 = Need.elicit("pet", { message, schema: Pet });
  same<Equal<Of<typeof t3>, [Pet, No, Need.Elicitation]>>();
  const t4 = Need.elicit("n", { message, schema: Schema.Struct({ n: Schema.NumberFromString }) });
  same<Equal<Of<typeof t4>, [{ readonly n: number }, No, Need.Elicitation]>>();
  const generic = <A>(schema: Schema.Codec<A>): Need.Need<A, No, Need.Elicitation> =>
    Need.elicit("any", { message, schema });
  void generic;
});

check(() => {
  const t5 = Need.elicit("who", {
    message,
    schema: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1 },
        age: { type: "integer" },
        ok: { type: "boolean" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      },
      required: ["name"],
    },
  });
  same<
    Equal<
      Of<typeof t5>,
      [
        { readonly name: string; readonly tags?: string[]; readonly age?: number; readonly ok?: boolean },
        No,
        Need.Elicitation,
      ]
    >
  >();
  const t6 = Need.elicit("enum", {
    message,
    schema: { type: "object", properties: { color: { type: "string", enum: ["r", "g"] } }, required: ["color"] },
  });
  same<Equal<Of<typeof t6>, [{ readonly color: string }, No, Need.Elicitation]>>();
  const t7 = Need.elicit("none", { message, schema: { type: "object", properties: {} } });
  // deno-lint-ignore ban-types -- an empty form has no fields
  same<Equal<Of<typeof t7>, [{}, No, Need.Elicitation]>>();

  const hoisted = {
    type: "object",
    properties: { name: { type: "string" }, n: { type: "number" } },
    required: ["name"],
  } as const;
  const t8 = Need.elicit("hoisted", { message, schema: hoisted });
  same<Equal<Of<typeof t8>, [{ readonly name: string; readonly n?: number }, No, Need.Elicitation]>>();

  const widened = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  // @ts-expect-error -- the literals of a hoisted plain const are lost
  Need.elicit("widened", { message, schema: widened });

  const lost: Need.FormSchema = hoisted;
  const t9 = Need.elicit("lost", { message, schema: lost });
  same<
    Equal<Of<typeof t9>, [Record<string, string | number | boolean | ReadonlyArray<string>>, No, Need.Elicitation]>
  >();

  const required: string[] = ["name"];
  const t10 = Need.elicit("required", {
    message,
    schema: { type: "object", properties: { name: { type: "string" } }, required },
  });
  same<Equal<Of<typeof t10>, [{ readonly name?: string }, No, Need.Elicitation]>>();

  // @ts-expect-error -- there is no such type
  Need.elicit("typo", { message, schema: { type: "object", properties: { name: { type: "text" } } } });
  // @ts-expect-error -- forms are objects
  Need.elicit("root", { message, schema: { type: "string" } });
});

check(() => {
  const t11 = Need.confirm("sure", message);
  same<Equal<Of<typeof t11>, [boolean, never, Need.Elicitation]>>();
  const t12 = Need.choose("one", { message, options: ["a", "b"] });
  same<Equal<Of<typeof t12>, ["a" | "b", No, Need.Elicitation]>>();
  const t13 = Need.choose("titled", { message, options: [{ value: "a", title: "A" }, "b"], default: "b" });
  same<Equal<Of<typeof t13>, ["a" | "b", No, Need.Elicitation]>>();
  const t14 = Need.choose("many", { message, options: ["a", "b"], multiple: true, default: ["a"], min: 1, max: 2 });
  same<Equal<Of<typeof t14>, [ReadonlyArray<"a" | "b">, No, Need.Elicitation]>>();
  const computed: ReadonlyArray<string> = ["x"];
  const t15 = Need.choose("computed", { message, options: computed });
  same<Equal<Of<typeof t15>, [string, No, Need.Elicitation]>>();
  // @ts-expect-error -- the default is no option
  Need.choose("default", { message, options: ["a", "b"], default: "c" });
  // @ts-expect-error -- the default of several is a list
  Need.choose("default", { message, options: ["a", "b"], multiple: true, default: "a" });
});

declare const remote: Schema.Codec<{ readonly name: string }, { readonly name: string }, "Directory">;

check(() => {
  // @ts-expect-error -- answers are read at once, without services
  Need.elicit("who", { message, schema: remote });
});

declare const ledger: Need.Need<never, never, "Ledger">;
declare const found: Effect.Effect<Option.Option<number>, never, "Ledger">;
declare const failing: Effect.Effect<Option.Option<number>, Broke>;

check(() => {
  void ledger;
  const t16 = Need.elicitUrl("pay", { message, url: "https://shop.example/pay", done: found });
  same<Equal<Of<typeof t16>, [number, No, Need.Elicitation | "Ledger"]>>();
  const t17 = Need.elicitUrl("pay", {
    message,
    url: (id) => `https://shop.example/pay?i=${id}`,
    done: (_id: string) => found,
  });
  same<Equal<Of<typeof t17>, [number, No, Need.Elicitation | "Ledger"]>>();
  // @ts-expect-error -- `done` says whether, and does not fail
  Need.elicitUrl("pay", { message, url: "https://shop.example/pay", done: failing });
  const t18 = Need.sample("poem", { messages: [], maxTokens: 1 });
  same<Equal<Of<typeof t18>, [Need.Sample, Need.Refused, Need.Sampling]>>();
  const t19 = Need.roots();
  same<Equal<Of<typeof t19>, [ReadonlyArray<Need.Root>, never, Need.Roots]>>();
});

check(() => {
  // R is nominal per kind: what is provided leaves the others.
  const two = Effect.all([Need.confirm("a", message), Need.sample("b", { messages: [], maxTokens: 1 }), Need.roots()]);
  const port: Parameters<typeof Need.Elicitation.of>[0] = { ask: () => Effect.never };
  const t20 = Effect.provideService(two, Need.Elicitation, port);
  same<
    Equal<Of<typeof t20>, [[boolean, Need.Sample, ReadonlyArray<Need.Root>], Need.Refused, Need.Sampling | Need.Roots]>
  >();
  // @ts-expect-error -- sampling and roots are still missing
  Effect.runPromise(Effect.provideService(two, Need.Elicitation, port));
});

check(() => {
  const cell = Need.state("page", { schema: Schema.Int, initial: 1 });
  const t21 = cell.get;
  same<Equal<Of<typeof t21>, [number, never, Need.Flow]>>();
  const t22 = cell.set(2);
  same<Equal<Of<typeof t22>, [void, never, Need.Flow]>>();
  const t23 = cell.update((n) => n + 1);
  same<Equal<Of<typeof t23>, [void, never, Need.Flow]>>();
  // @ts-expect-error -- a page is a number
  cell.set("2");
  // @ts-expect-error -- and so is the first one
  Need.state("page", { schema: Schema.Int, initial: "1" });
  const t24 = Need.state("at", { schema: Schema.DateFromString, initial: new Date(0) }).get;
  same<Equal<Of<typeof t24>, [Date, never, Need.Flow]>>();
});

declare const charge: Effect.Effect<{ readonly id: string; readonly secret: string }, Broke, "Shop">;
declare const stamp: Effect.Effect<{ readonly id: string; readonly secret: string }, never, "Shop">;

check(() => {
  const Receipt = Schema.Struct({ id: Schema.String });
  const Failed = Schema.Struct({ _tag: Schema.tag("Broke"), why: Schema.String });
  // What the handler gets is the record: the members that the schema does not know are gone.
  const t25 = Need.once("stamp", stamp, Receipt);
  same<Equal<Of<typeof t25>, [{ readonly id: string }, never, "Shop" | Need.Flow]>>();
  // @ts-expect-error -- a step that may fail needs a schema for its failure
  Need.once("charge", charge, Receipt);
  const t26 = Need.once("charge", charge, { success: Receipt, failure: Failed });
  same<
    Equal<
      Of<typeof t26>,
      [{ readonly id: string }, { readonly _tag: "Broke"; readonly why: string }, "Shop" | Need.Flow]
    >
  >();
  // @ts-expect-error -- the failure has another schema
  Need.once("charge", charge, { success: Receipt, failure: Schema.Struct({ code: Schema.Int }) });
  // @ts-expect-error -- the success has another schema
  Need.once("stamp", stamp, Schema.Struct({ id: Schema.Int }));
  // @ts-expect-error -- commits do not fail
  Need.onCommit(charge);
  const t27 = Need.onCommit(stamp);
  same<Equal<Of<typeof t27>, [void, never, "Shop" | Need.Flow]>>();
  const t28 = Need.again;
  same<Equal<Of<typeof t28>, [never, never, Need.Flow]>>();
});

declare const plain: Effect.Effect<string, Broke | Other, "Shop">;

check(() => {
  const t29 = Need.all([Need.confirm("a", message), plain]);
  same<Equal<Of<typeof t29>, [[boolean, string], Broke | Other, Need.Elicitation | "Shop"]>>();
  const t30 = Need.all({
    a: Need.elicit("a", { message, schema: Schema.Struct({ name: Schema.String }) }),
    b: plain,
    c: Need.sample("c", { messages: [], maxTokens: 1 }),
  });
  same<
    Equal<
      Of<typeof t30>,
      [
        { readonly a: { readonly name: string }; readonly b: string; readonly c: Need.Sample },
        No | Need.Refused | Broke | Other,
        Need.Elicitation | Need.Sampling | "Shop",
      ]
    >
  >();
  const t31 = Need.all([]);
  same<Equal<Of<typeof t31>, [[], never, never]>>();
  const many: ReadonlyArray<Need.Need<boolean, never, Need.Elicitation>> = [];
  const t32 = Need.all(many);
  same<Equal<Of<typeof t32>, [boolean[], never, Need.Elicitation]>>();
  // @ts-expect-error -- branches are effects
  Need.all([Need.confirm("a", message), "b"]);
});

check(() => {
  const t33 = Need.optional(Need.confirm("a", message));
  same<Equal<Of<typeof t33>, [Option.Option<boolean>, never, Need.Elicitation]>>();
  const t34 = plain.pipe(Need.optional);
  same<Equal<Of<typeof t34>, [Option.Option<string>, Broke | Other, "Shop"]>>();
  const t35 = Need.attempt(plain);
  same<Equal<Of<typeof t35>, [string, Broke | Other | Need.Unanswerable, "Shop"]>>();
  const t36 = Need.supports("sampling.tools");
  same<Equal<Of<typeof t36>, [boolean, never, Need.Flow]>>();
  // @ts-expect-error -- there is no such capability
  Need.supports("sampling.images");
  const t37 = Need.flow;
  same<Equal<Of<typeof t37>, [Need.FlowInfo, never, Need.Flow]>>();
  const t38 = Need.isSuspending;
  same<Equal<Of<typeof t38>, [boolean, never, never]>>();
  const t39 = Call.info;
  same<Equal<Of<typeof t39>, [Option.Option<Call.CallInfo>, never, never]>>();
  const t40 = Call.progress({ progress: 1, total: 2 });
  same<Equal<Of<typeof t40>, [void, never, never]>>();
  const t41 = Call.log("warning", { a: 1 }, "shop");
  same<Equal<Of<typeof t41>, [void, never, never]>>();
  const t42 = Call.disconnect;
  same<Equal<Of<typeof t42>, [void, never, never]>>();
  // @ts-expect-error -- there is no such level
  Call.log("fatal", 1);
});

test("Need: the types of the verbs are those of the design", () => {
  // The assertions are above, for the compiler. Here is what they hang on: a wrong type must not get through.
  const sure = Need.confirm("sure", message);
  // @ts-expect-error -- a boolean is no string
  same<Equal<Of<typeof sure>, [string, never, Need.Elicitation]>>();
  assert(Need.isNeed(sure));
});
