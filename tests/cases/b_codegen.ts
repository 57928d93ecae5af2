/** Case B30, as a program of its own: a flow with forms, schemas and structured output, for a host that compiles no code. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { inProcess } from "./serve.ts";
import { accept, again, call, FORM, type Json, META, rpc, send } from "./wire.ts";

const globals = globalThis as { Function: unknown };
globals.Function = new Proxy(Function, {
  apply: () => {
    throw new EvalError("Code generation is not allowed");
  },
  construct: () => {
    throw new EvalError("Code generation is not allowed");
  },
});

const input = Tool.jsonSchema({
  type: "object",
  properties: { n: { type: "integer", minimum: 0 }, list: { type: "array", items: { $ref: "#/$defs/item" } } },
  required: ["n"],
  $defs: { item: { type: "string", pattern: "^[a-z]+$", format: "email" } },
  if: { properties: { n: { const: 0 } } },
  then: { required: ["list"] },
});

const server = McpServer.make({
  name: "codegen",
  version: "1",
  tools: [
    Tool.make("raw", { description: "Raw", input, output: input, handler: (args) => Effect.succeed(args) }),
    Tool.make("form", {
      description: "Form",
      input: Schema.Struct({ n: Schema.Int }),
      output: Schema.Struct({ mail: Schema.String, size: Schema.Literals(["s", "l"]) }),
      handler: Effect.fnUntraced(function* () {
        const { mail } = yield* Need.elicit("mail", {
          message: "Mail?",
          schema: { type: "object", properties: { mail: { type: "string", format: "email" } }, required: ["mail"] },
        });
        const size = yield* Need.choose("size", { message: "Size?", options: ["s", "l"] });
        return { mail, size };
      }),
    }),
  ],
  prompts: [Prompt.make("p", { args: Schema.Struct({ a: Schema.String }), handler: ({ a }) => Effect.succeed(a) })],
  resources: [Resource.template("note:///{+path}", { name: "t", handler: ({ path }) => Effect.succeed(path) })],
});

await inProcess(server, async (target) => {
  const results: Array<unknown> = [];
  const say = async (body: Parameters<typeof send>[1]): Promise<Json | undefined> => {
    const reply = await send(target, body);
    results.push(
      reply.error?.code ?? reply.result?.structuredContent ?? reply.result?.isError ?? reply.result?.resultType,
    );
    return reply.result;
  };
  await say(call("raw", { n: 1 }));
  await say(call("raw", { n: 0 }));
  await say(call("raw", { n: 1, list: ["A"] }));
  const first = call("form", { n: 1 }, FORM);
  const one = await say(first);
  const bad = await say(
    again(first, { inputResponses: { mail: accept({ mail: "none" }) }, requestState: one?.["requestState"] }),
  );
  const two = await say(
    again(first, { inputResponses: { mail: accept({ mail: "a@b.example" }) }, requestState: bad?.["requestState"] }),
  );
  await say(again(first, { inputResponses: { size: accept({ choice: "l" }) }, requestState: two?.["requestState"] }));
  await say(rpc("prompts/get", { name: "p", arguments: { a: "x" }, ...META() }));
  await say(rpc("resources/read", { uri: "note:///a/b", ...META() }));
  await say(rpc("tools/list", META()));
  console.log(JSON.stringify(results));
});
