/** The fixtures of the cases: handlers that ask, and count how often they run. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";

/** Counts what happens, by name. */
export interface Counter {
  readonly count: (name: string) => Effect.Effect<void>;
  readonly of: (name: string) => number;
}

/** A counter at zero. */
export const counter = (): Counter => {
  const counts = new Map<string, number>();
  return {
    count: (name) => Effect.sync(() => void counts.set(name, (counts.get(name) ?? 0) + 1)),
    of: (name) => counts.get(name) ?? 0,
  };
};

/** A form with one required text. */
export const Name: Schema.Struct<{ readonly name: Schema.String }> = Schema.Struct({ name: Schema.String });

/** The question for `who`. */
export const who: Need.Need<{ readonly name: string }, Need.Declined | Need.Cancelled, Need.Elicitation> = Need.elicit(
  "who",
  { message: "Who are you?", schema: Name },
);

/** Any object as arguments. */
export const anything: Tool.JsonSchema<{ readonly [name: string]: unknown }> = Tool.jsonSchema({ type: "object" });

/** Asks `who`, whatever its arguments are. */
export const askName = (runs: Counter, name = "ask_name"): Tool.Tool<Need.Elicitation> =>
  Tool.make(name, {
    description: "Asks for a name",
    input: anything,
    handler: Effect.fnUntraced(function* () {
      yield* runs.count(name);
      const answer = yield* who;
      return `Hello ${answer.name}`;
    }),
  });

/** Asks `who`, takes no arguments. */
export const askNameBare = (runs: Counter, name = "ask_bare"): Tool.Tool<Need.Elicitation> =>
  Tool.make(name, {
    description: "Asks for a name",
    handler: Effect.fnUntraced(function* () {
      yield* runs.count(name);
      const answer = yield* who;
      return `Hello ${answer.name}`;
    }),
  });

const text = (key: string) =>
  Need.elicit(key, { message: `What is ${key}?`, schema: Schema.Struct({ v: Schema.String }) });

/** Asks `a` and `b` together. */
export const askTwo = (runs: Counter): Tool.Tool<Need.Elicitation> =>
  Tool.make("ask_two", {
    description: "Asks for a and b at once",
    handler: Effect.fnUntraced(function* () {
      yield* runs.count("ask_two");
      const { a, b } = yield* Need.all({ a: text("a"), b: text("b") });
      return `${a.v} ${b.v}`;
    }),
  });

/** Asks `a`, and with its answer `b`. */
export const askChain = (runs: Counter): Tool.Tool<Need.Elicitation> =>
  Tool.make("ask_chain", {
    description: "Asks for a, then for b",
    handler: Effect.fnUntraced(function* () {
      yield* runs.count("ask_chain");
      const a = yield* text("a");
      const b = yield* text("b");
      return `${a.v} ${b.v}`;
    }),
  });

/** Asks `confirm` above an amount of 100; counts what it paid as `paid`. */
export const pay = (runs: Counter): Tool.Tool<Need.Elicitation> =>
  Tool.make("pay", {
    description: "Pays, after a confirmation if it is much",
    input: Schema.Struct({ amount: Schema.Finite }),
    handler: Effect.fnUntraced(function* ({ amount }) {
      yield* runs.count("pay");
      if (amount > 100 && !(yield* Need.confirm("confirm", `Pay ${amount}?`))) return "Nothing was paid";
      yield* runs.count("paid");
      return `Paid ${amount}`;
    }),
  });

/** Drops everything after a yes; counts that as `dropped`. */
export const drop = (runs: Counter): Tool.Tool<Need.Elicitation> =>
  Tool.make("drop", {
    description: "Drops everything",
    handler: Effect.fnUntraced(function* () {
      yield* runs.count("drop");
      if (!(yield* Need.confirm("sure", "Drop everything?"))) return "Kept";
      yield* runs.count("dropped");
      return "Dropped";
    }),
  });

/** Gives back its arguments as text. */
export const echo = (runs: Counter): Tool.Tool =>
  Tool.make("echo", {
    description: "Gives back its arguments",
    input: anything,
    handler: Effect.fnUntraced(function* (args) {
      yield* runs.count("echo");
      return JSON.stringify(args);
    }),
  });

/** Waits for `ms`, with a first message if `loud`; counts as `interrupted` if it was stopped, as `slept` if not. */
export const slow = (runs: Counter): Tool.Tool =>
  Tool.make("slow", {
    description: "Takes its time",
    input: Schema.Struct({ ms: Schema.Finite, loud: Schema.optionalKey(Schema.Boolean) }),
    handler: Effect.fnUntraced(function* ({ loud, ms }) {
      yield* runs.count("slow");
      if (loud === true) yield* Call.progress({ progress: 1 });
      yield* Effect.sleep(ms).pipe(Effect.onInterrupt(() => runs.count("interrupted")));
      yield* runs.count("slept");
      return "Awake";
    }),
  });

/** A prompt that asks `who`. */
export const askPrompt = (runs: Counter, name = "ask_name"): Prompt.Prompt<Need.Elicitation> =>
  Prompt.make(name, {
    description: "Asks for a name",
    handler: Effect.fnUntraced(function* () {
      yield* runs.count(`prompt ${name}`);
      const answer = yield* who;
      return `Hello ${answer.name}`;
    }),
  });

/** A server whose tool `t`, prompt `p` and resource `note:///r` do the same. */
export const alike = (
  handler: Effect.Effect<string, Need.Declined | Need.Cancelled, Need.Elicitation>,
): McpServer.McpServer =>
  McpServer.make({
    name: "alike",
    version: "1",
    tools: [Tool.make("t", { description: "Asks", handler: () => handler })],
    prompts: [Prompt.make("p", { description: "Asks", handler: () => handler })],
    resources: [Resource.make("note:///r", { name: "r", handler: () => handler })],
  });

/** The text in what a model said. */
export const saidText = ({ content }: Need.Sample): string =>
  content.map((block) => block.type === "text" ? block.text : "").join("");
