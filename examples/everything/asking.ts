/** Tools that ask. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, Need, Tool } from "@needful/mcp";

const Name = Schema.Struct({ name: Schema.String });

const askName = Need.elicit("user_name", { message: "What is your name?", schema: Name });

const question = (text: string, maxTokens: number) =>
  ({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens,
  }) as const;

/** The text in what a model said. */
const textOf = ({ content }: Need.Sample): string =>
  content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n");

const elicitation = Tool.make("test_input_required_result_elicitation", {
  description: "Asks for a name",
  handler: Effect.fn(function* () {
    const { name } = yield* askName;
    return `Hello, ${name}!`;
  }),
});

const sampling = Tool.make("test_input_required_result_sampling", {
  description: "Asks the client's model",
  handler: Effect.fn(function* () {
    const answer = yield* Need.sample("capital_question", question("What is the capital of France?", 100));
    return textOf(answer);
  }),
});

const listRoots = Tool.make("test_input_required_result_list_roots", {
  description: "Asks for the client's roots",
  handler: Effect.fn(function* () {
    const roots = yield* Need.roots("client_roots");
    return `Roots: ${roots.map(({ uri }) => uri).join(", ")}`;
  }),
});

const requestState = Tool.make("test_input_required_result_request_state", {
  description: "Asks to confirm, and knows the question again by the sealed state",
  handler: Effect.fn(function* () {
    const ok = yield* Need.confirm("confirm", "Please confirm");
    return ok ? "state-ok" : "Not confirmed";
  }),
});

const multipleInputs = Tool.make("test_input_required_result_multiple_inputs", {
  description: "Asks three things at once",
  handler: Effect.fn(function* () {
    const { greeting, roots, user } = yield* Need.all({
      user: askName,
      greeting: Need.sample("greeting", question("Generate a greeting", 50)),
      roots: Need.roots("client_roots"),
    });
    return `${textOf(greeting)} ${user.name}, you have ${roots.length} roots.`;
  }),
});

const multiRound = Tool.make("test_input_required_result_multi_round", {
  description: "Asks two things, one after the other",
  handler: Effect.fn(function* () {
    const { name } = yield* Need.elicit("step1", { message: "Step 1: What is your name?", schema: Name });
    const { color } = yield* Need.elicit("step2", {
      message: "Step 2: What is your favorite color?",
      schema: Schema.Struct({ color: Schema.String }),
    });
    return `${name} likes ${color}.`;
  }),
});

const tamperedState = Tool.make("test_input_required_result_tampered_state", {
  description: "Asks to confirm; a state that was changed on the way is refused before this runs",
  handler: Effect.fn(function* () {
    const ok = yield* Need.confirm("confirm", "Please confirm");
    return `Confirmed: ${ok}`;
  }),
});

const capabilities = Tool.make("test_input_required_result_capabilities", {
  description: "Asks for whatever the client can be asked for",
  handler: Effect.fn(function* () {
    const answers = yield* Need.all({
      name: Need.optional(askName),
      greeting: Need.optional(Need.sample("greeting", question("Generate a greeting", 50))),
      roots: Need.optional(Need.roots("client_roots")),
    });
    const answered = Object.entries(answers).filter(([, answer]) => answer._tag === "Some");
    return `Answered: ${answered.map(([what]) => what).join(", ")}`;
  }),
});

const missingCapability = Tool.make("test_missing_capability", {
  description: "Needs a client with a model",
  requires: ["sampling"],
  handler: Effect.fn(function* () {
    const answer = yield* Need.sample("greeting", question("Generate a greeting", 50));
    return textOf(answer);
  }),
});

const streamingElicitation = Tool.make("test_streaming_elicitation", {
  description: "Tells how far it is and then asks, on one stream",
  handler: Effect.fn(function* () {
    yield* Call.progress({ progress: 1, message: "About to ask" });
    const { name } = yield* askName;
    return `Hello, ${name}!`;
  }),
});

const plainSampling = Tool.make("test_sampling", {
  description: "Passes a prompt to the client's model",
  input: Schema.Struct({ prompt: Schema.String }),
  handler: Effect.fn(function* ({ prompt }) {
    const answer = yield* Need.sample("answer", question(prompt, 100));
    return `LLM response: ${textOf(answer)}`;
  }),
});

/** What a form came to, as these fixtures print it. */
const outcome = <A, R>(form: Effect.Effect<A, Need.Declined | Need.Cancelled, R>): Effect.Effect<string, never, R> =>
  form.pipe(
    Effect.map((content) => `action=accept, content=${JSON.stringify(content)}`),
    Effect.catchTags({
      Declined: () => Effect.succeed("action=decline"),
      Cancelled: () => Effect.succeed("action=cancel"),
    }),
  );

const plainElicitation = Tool.make("test_elicitation", {
  description: "Asks with a message of the caller's",
  input: Schema.Struct({ message: Schema.String }),
  handler: Effect.fn(function* ({ message }) {
    const schema = Schema.Struct({
      username: Schema.String.annotate({ description: "User's response" }),
      email: Schema.String.annotate({ description: "User's email address" }),
    });
    return `User response: ${yield* outcome(Need.elicit("details", { message, schema }))}`;
  }),
});

const defaults = Tool.make("test_elicitation_sep1034_defaults", {
  description: "Asks with a default for every kind of field",
  handler: Effect.fn(function* () {
    const form = Need.elicit("defaults", {
      message: "Please review and update the form fields with defaults",
      schema: {
        type: "object",
        properties: {
          name: { type: "string", description: "User name", default: "John Doe" },
          age: { type: "integer", description: "User age", default: 30 },
          score: { type: "number", description: "User score", default: 95.5 },
          status: {
            type: "string",
            description: "User status",
            enum: ["active", "inactive", "pending"],
            default: "active",
          },
          verified: { type: "boolean", description: "Verification status", default: true },
        },
        required: [],
      },
    });
    return `Elicitation completed: ${yield* outcome(form)}`;
  }),
});

const titled = (...titles: ReadonlyArray<string>) =>
  titles.map((title, index) => ({ const: `value${index + 1}`, title }));

const enums = Tool.make("test_elicitation_sep1330_enums", {
  description: "Asks with every kind of choice, the deprecated one included",
  handler: Effect.fn(function* () {
    const options = ["option1", "option2", "option3"];
    const form = Need.elicit("enums", {
      message: "Please select options from the enum fields",
      schema: {
        type: "object",
        properties: {
          untitledSingle: { type: "string", enum: options },
          titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: options } },
          titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
        },
        required: [],
      },
    });
    return `Elicitation completed: ${yield* outcome(form)}`;
  }),
});

/** The tools. */
export const tools: ReadonlyArray<Tool.Tool<Need.Elicitation | Need.Sampling | Need.Roots>> = [
  elicitation,
  sampling,
  listRoots,
  requestState,
  multipleInputs,
  multiRound,
  tamperedState,
  capabilities,
  missingCapability,
  streamingElicitation,
  plainSampling,
  plainElicitation,
  defaults,
  enums,
];
