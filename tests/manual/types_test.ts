/** What the types of the returning style promise. `deno check` of this file is the test. */
import { test } from "node:test";
import { assert } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, Prompt, RequestState, Resource, Tool } from "@needful/mcp";
import { check, type Equal, same } from "../types.ts";

/** What an effect gives, fails with and needs. */
type Of<T> = [Effect.Success<T>, Effect.Error<T>, Effect.Services<T>];
/** The answer to a request. */
type Answer<T> = T extends Manual.Request<infer A> ? A : never;
type Form<A> = Manual.FormResponse<A>;

const message = "?";

// A request is typed by the schema that asks.
check(() => {
  const effect = Manual.elicit({
    message,
    schema: Schema.Struct({ name: Schema.NonEmptyString, n: Schema.optionalKey(Schema.NumberFromString) }),
  });
  same<Equal<Answer<typeof effect>, Form<{ readonly name: string; readonly n?: number }>>>();
  // Where the argument stands in its place, literals are inferred without `as const`.
  const literal = Manual.elicit({
    message,
    schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        age: { type: "integer" },
        ok: { type: "boolean" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      },
      required: ["name"],
    },
  });
  same<
    Equal<
      Answer<typeof literal>,
      Form<{ readonly name: string; readonly tags?: string[]; readonly age?: number; readonly ok?: boolean }>
    >
  >();
  const hoisted = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
  const constant = Manual.elicit({ message, schema: hoisted });
  same<Equal<Answer<typeof constant>, Form<{ readonly name: string }>>>();
  const outside = Manual.elicit({ message, schema: { type: "object", properties: { name: { type: "string" } } } });
  same<Equal<Answer<typeof outside>, Form<{ readonly name?: string }>>>();
  // `enum` of a literal schema stays `string`; that of an Effect schema is known.
  const colour = Manual.elicit({
    message,
    schema: { type: "object", properties: { c: { type: "string", enum: ["r", "g"] } }, required: ["c"] },
  });
  same<Equal<Answer<typeof colour>, Form<{ readonly c: string }>>>();
  const known = Manual.elicit({ message, schema: Schema.Struct({ c: Schema.Literals(["r", "g"]) }) });
  same<Equal<Answer<typeof known>, Form<{ readonly c: "r" | "g" }>>>();
  // Lost literals fall back.
  const lost: Manual.FormSchema = hoisted;
  const fallback = Manual.elicit({ message, schema: lost });
  same<Equal<Answer<typeof fallback>, Form<Record<string, string | number | boolean | ReadonlyArray<string>>>>>();
  const required: string[] = ["name"];
  const half = Manual.elicit({
    message,
    schema: { type: "object", properties: { name: { type: "string" } }, required },
  });
  same<Equal<Answer<typeof half>, Form<{ readonly name?: string }>>>();

  const widened = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  // @ts-expect-error -- the literals of a hoisted plain const are lost
  Manual.elicit({ message, schema: widened });
  const widenedRoot = { type: "object", properties: {} };
  // @ts-expect-error -- those of the root alone, too
  Manual.elicit({ message, schema: widenedRoot });
  const widenedField = { type: "object" as const, properties: { name: { type: "string" } } };
  // @ts-expect-error -- and those of a field alone
  Manual.elicit({ message, schema: widenedField });
  // @ts-expect-error -- there is no such type
  Manual.elicit({ message, schema: { type: "object", properties: { name: { type: "text" } } } });
  // @ts-expect-error -- forms are objects
  Manual.elicit({ message, schema: { type: "string" } });

  const page = Manual.elicitUrl({ message, url: "https://shop.example" });
  same<Equal<Answer<typeof page>, Manual.UrlResponse>>();
  const poem = Manual.createMessage({ messages: [], maxTokens: 1 });
  same<Equal<Answer<typeof poem>, Need.Sample>>();
  const roots = Manual.listRoots();
  same<Equal<Answer<typeof roots>, Manual.RootsResponse>>();
  // @ts-expect-error -- tokens are counted
  Manual.createMessage({ messages: [], maxTokens: "many" });
});

const requests = {
  who: Manual.elicit({ message, schema: Schema.Struct({ name: Schema.String }) }),
  pay: Manual.elicitUrl({ message, url: "https://shop.example" }),
  poem: Manual.createMessage({ messages: [], maxTokens: 1 }),
  roots: Manual.listRoots(),
};

// Answers are read by the map that asks.
check(() => {
  const all = Manual.responses(requests);
  same<
    Equal<
      Of<typeof all>,
      [
        {
          readonly who: Form<{ readonly name: string }> | undefined;
          readonly pay: Manual.UrlResponse | undefined;
          readonly poem: Need.Sample | undefined;
          readonly roots: Manual.RootsResponse | undefined;
        },
        never,
        Need.Flow,
      ]
    >
  >();
  // @ts-expect-error -- nobody asks under this name
  Effect.map(all, (answers) => answers.whom);
  // @ts-expect-error -- there may be no answer
  Effect.map(all, (answers) => answers.who.action);
  // @ts-expect-error -- only an accepted form has content
  Effect.map(all, (answers) => answers.who?.content);
  Effect.map(all, ({ who }) => {
    if (who?.action === "accept") same<Equal<typeof who.content, { readonly name: string }>>();
  });

  const accepted = Manual.accepted(requests, "who");
  same<Equal<Of<typeof accepted>, [Option.Option<{ readonly name: string }>, Manual.InvalidAnswer, Need.Flow]>>();
  // @ts-expect-error -- nobody asks under this name
  Manual.accepted(requests, "whom");
  // @ts-expect-error -- a page has no content
  Manual.accepted(requests, "pay");
  // @ts-expect-error -- and neither has a list of roots
  Manual.accepted(requests, "roots");

  const unchecked = Manual.acceptedUnchecked<{ readonly name: string }>("anything");
  same<Equal<Of<typeof unchecked>, [Option.Option<{ readonly name: string }>, never, Need.Flow]>>();
  const loose = Manual.acceptedUnchecked("anything");
  same<Equal<Of<typeof loose>, [Option.Option<Manual.JsonRecord>, never, Need.Flow]>>();

  // A map whose keys are computed has any.
  const computed: { readonly [key: string]: Manual.Request<Form<{ readonly name: string }>> } = { a: requests.who };
  const each = Effect.map(Manual.responses(computed), (answers) => answers["row:1"]);
  same<Equal<Effect.Success<typeof each>, Form<{ readonly name: string }> | undefined>>();
  const row = Manual.accepted(computed, "row:1");
  same<Equal<Effect.Success<typeof row>, Option.Option<{ readonly name: string }>>>();
});

// What is missing and what is supported compose in either order, and go back into `inputRequired`.
check(() => {
  const open = Effect.flatMap(Manual.missing(requests), Manual.supported);
  const other = Effect.flatMap(Manual.supported(requests), Manual.missing);
  same<Equal<Of<typeof open>, [Partial<Partial<typeof requests>>, never, Need.Flow]>>();
  same<Equal<Of<typeof open>, Of<typeof other>>>();
  Effect.map(open, (inputRequests) => Manual.inputRequired({ inputRequests }));
  const some = Effect.flatMap(Manual.missing(requests), Manual.responses);
  Effect.map(some, ({ who }) => {
    if (who?.action === "accept") same<Equal<typeof who.content, { readonly name: string }>>();
  });
  const part = Effect.flatMap(Manual.missing(requests), (missing) => Manual.accepted(missing, "who"));
  same<Equal<Effect.Success<typeof part>, Option.Option<{ readonly name: string }>>>();
  const can = Manual.canRequest(requests.poem);
  same<Equal<Of<typeof can>, [boolean, never, Need.Flow]>>();
  // @ts-expect-error -- a request, not its key
  Manual.canRequest("poem");
  // @ts-expect-error -- values are requests
  Manual.missing({ who: "me" });
});

// What `inputRequired` takes, and where it may be returned.
check(() => {
  const returned = Manual.inputRequired({ inputRequests: requests });
  same<Equal<typeof returned, Manual.InputRequired>>();
  Manual.inputRequired({ requestState: "s" });
  Manual.inputRequired({ inputRequests: requests, requestState: "s" });
  Manual.inputRequired({ inputRequests: {}, requestState: "s" });
  // @ts-expect-error -- neither requests nor a state
  Manual.inputRequired({});
  // @ts-expect-error -- a state is a text
  Manual.inputRequired({ requestState: { step: 1 } });
  // @ts-expect-error -- a method of the protocol's own, made by no builder
  Manual.inputRequired({ inputRequests: { a: { method: "tools/call" } } });
  // @ts-expect-error -- a need is no request
  Manual.inputRequired({ inputRequests: { a: Need.confirm("a", message) } });

  const Out = Schema.Struct({ n: Schema.Int });
  const tool = Tool.make("t", {
    output: Out,
    handler: Effect.fn(function* () {
      const { who } = yield* Manual.responses(requests);
      return who === undefined ? returned : { n: 1 };
    }),
  });
  same<Equal<typeof tool, Tool.Tool<Need.Flow>>>();
  const prompt = Prompt.make("p", {
    handler: Effect.fn(function* () {
      const { who } = yield* Manual.responses(requests);
      return who === undefined ? returned : "text";
    }),
  });
  same<Equal<typeof prompt, Prompt.Prompt<Need.Flow>>>();
  const resource = Resource.make("x://a", { name: "a", handler: () => Effect.succeed(returned) });
  same<Equal<typeof resource, Resource.Resource<never>>>();
  const template = Resource.template("x://{a}", {
    name: "a",
    handler: ({ a }) => Effect.succeed(a === "" ? returned : a),
  });
  same<Equal<typeof template, Resource.Template<never>>>();
  // The flow is the server's to bring.
  const server = McpServer.make({ name: "s", version: "1", tools: [tool], prompts: [prompt], resources: [resource] });
  same<Equal<typeof server, McpServer.McpServer<never>>>();

  // @ts-expect-error -- what is not valid has to be handled
  Tool.make("t", { handler: () => Effect.as(Manual.accepted(requests, "who"), "") });
  Tool.make("t", {
    handler: () =>
      Manual.accepted(requests, "who").pipe(
        Effect.map(Option.match({ onNone: () => returned, onSome: ({ name }) => name })),
        Effect.catchTag("InvalidAnswer", () => Effect.succeed(returned)),
      ),
  });
  // @ts-expect-error -- the output has no such member, returned or not
  Tool.make("t", { output: Out, handler: () => Effect.succeed(Math.random() < 1 ? returned : { m: 1 }) });
});

// A state has the type of its schema.
check(() => {
  const Step = RequestState.make({ schema: Schema.Struct({ at: Schema.DateFromString, n: Schema.Int }) });
  same<Equal<typeof Step, RequestState.RequestState<{ readonly at: Date; readonly n: number }>>>();
  const opened = Step.open;
  same<Equal<Of<typeof opened>, [Option.Option<{ readonly at: Date; readonly n: number }>, never, Need.Flow]>>();
  const sealed = Step.seal({ at: new Date(), n: 1 });
  same<Equal<Of<typeof sealed>, [string, never, never]>>();
  // @ts-expect-error -- a number
  Step.seal({ at: new Date(), n: "1" });
  // @ts-expect-error -- a date is missing
  Step.seal({ n: 1 });
  // @ts-expect-error -- there is no such part of a call
  RequestState.make({ schema: Schema.Int, key: "k", bind: ["session"] });
  RequestState.make({ schema: Schema.Int, key: "k", bind: (call) => call.principal.subject });
  const raw = Manual.rawState;
  same<Equal<Of<typeof raw>, [Option.Option<string>, never, Need.Flow]>>();
});

test("Manual: the types are those of the design", () => {
  // The assertions are above, for the compiler. Here is what they hang on: a wrong type must not get through.
  // @ts-expect-error -- a name is no number
  same<Equal<Answer<typeof requests.who>, Form<{ readonly name: number }>>>();
  assert(Manual.isInputRequired(Manual.inputRequired({ requestState: "s" })));
});
