/**
 * Requests that are almost right: whatever is changed in one, the reply is one that the official schema knows, it comes
 * at once, and nothing breaks (cases B13, B50, B55, B72, of which these are the kind).
 */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import fc from "fast-check";
import { McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { faults } from "../era/legacy/schema.ts";
import { anything, askTwo, counter, Name } from "./fixtures.ts";
import { inProcess, log } from "./serve.ts";
import {
  accept,
  ANY,
  type Body,
  call,
  type Json,
  META,
  prompt,
  read,
  type Reply,
  type Result,
  revision,
  rpc,
  send,
  type Target,
} from "./wire.ts";

const everything = Tool.make("everything", {
  input: anything,
  handler: () =>
    Effect.map(
      Need.all({
        form: Need.elicit("form", { message: "Who are you?", schema: Name }),
        ok: Need.confirm("ok", "Really?"),
        pick: Need.choose("pick", { message: "Which?", options: ["a", "b"], multiple: true }),
        poem: Need.sample("poem", { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 9 }),
        roots: Need.roots(),
      }),
      (answers) => JSON.stringify(answers),
    ),
});

const answers = {
  form: accept({ name: "Ada" }),
  ok: accept({ ok: true }),
  pick: accept({ choice: ["a"] }),
  poem: { role: "assistant", model: "m", content: [{ type: "tool_use", id: "1", name: "n", input: { x: 1 } }] },
  roots: { roots: [{ uri: "file:///a", name: "a" }] },
};

const server = McpServer.make({
  name: "mutations",
  version: "1",
  tools: [everything, askTwo(counter())],
  prompts: [Prompt.make("p", { handler: () => Effect.map(Need.confirm("ok", "Really?"), String) })],
  resources: [
    Resource.template("note://{id}{?a,b}", {
      name: "note",
      complete: { a: ["x", "y"] },
      handler: ({ id }) => Effect.map(Need.confirm("ok", "Really?"), (ok) => `${id} ${ok}`),
    }),
  ],
});

/** Whole flows up to the request that ends them, and requests of other kinds. */
const requests = async (target: Target): Promise<ReadonlyArray<Body>> => {
  const retry = async (body: Body, inputResponses: Json): Promise<Body> => {
    const requestState = (await send(target, body)).result?.requestState;
    return { ...body, params: { ...body.params, inputResponses, requestState } };
  };
  const first = call("everything", { a: [{ b: 1 }] }, ANY);
  return [
    first,
    await retry(first, answers),
    await retry(call("ask_two", {}, ANY), { a: accept({ v: "x" }), b: accept({ v: "y" }) }),
    await retry(prompt("p", {}, ANY), { ok: answers.ok }),
    await retry(read("note://1?a=x", ANY), { ok: answers.ok }),
    rpc("tools/list", { ...META(), cursor: "x" }),
    rpc("completion/complete", {
      ...META(),
      ref: { type: "ref/resource", uri: "note://{id}{?a,b}" },
      argument: { name: "a", value: "" },
      context: { arguments: { b: "y" } },
    }),
    rpc("server/discover", META(ANY, { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" })),
  ];
};

const results: { readonly [method: string]: string } = {
  "tools/call": "CallToolResult",
  "prompts/get": "GetPromptResult",
  "resources/read": "ReadResourceResult",
  "tools/list": "ListToolsResult",
  "completion/complete": "CompleteResult",
  "server/discover": "DiscoverResult",
};

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    -0,
    1e308,
    "\ud800",
    "\0",
    "__proto__",
    "2025-11-25",
    { action: "accept" },
    { roots: [] },
    [],
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"ok":true},"constructor":{"prototype":{}}}'), "x".repeat(10_000)),
);

/** A change: at which of all places, and what is put there; undefined takes away what is there. */
const change = fc.record({
  place: fc.nat(),
  name: fc.option(fc.constantFrom("__proto__", "constructor", "extra", "ok", "form", "_meta"), { freq: 4 }),
  value: fc.option(junk, { nil: undefined, freq: 3 }),
});

interface Change {
  readonly place: number;
  readonly name: string | null;
  readonly value: unknown;
}

/** All objects and lists in `value`, each with each of its keys. */
const places = (value: unknown): ReadonlyArray<readonly [holder: object, key: string]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [[value, key] as const, ...places(member)])
    : [];

const changed = (body: Body, changes: ReadonlyArray<Change>): Json => {
  const copy = structuredClone(body) as unknown as Json;
  for (const { name, place, value } of changes) {
    const all = places(copy);
    const found = all[place % Math.max(1, all.length)];
    if (found === undefined) break;
    const [holder, key] = found;
    if (value === undefined) Reflect.deleteProperty(holder, key);
    else {Object.defineProperty(holder, name ?? key, {
        value: structuredClone(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });}
  }
  return copy;
};

/** A method that no header can carry is not mirrored as it is. */
const sent = (target: Target, body: Json): Promise<Reply> =>
  send(target, body, /^[\x21-\x7e]*$/.test(String(body["method"])) ? {} : { "mcp-method": "unlike" });

const statuses: { readonly [code: number]: ReadonlyArray<number> } = {
  [-32600]: [400],
  [-32601]: [404],
  [-32602]: [200, 400],
  [-32020]: [400],
  [-32021]: [400],
  [-32022]: [400],
};

const questions: { readonly [method: string]: string } = {
  "elicitation/create": "ElicitRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "roots/list": "ListRootsRequest",
};

/** An interim result has questions, a state, and nothing else (schema, `InputRequiredResult`). */
const interimProblems = ({ _meta, inputRequests = {}, requestState, resultType, ...more }: Result): Array<string> => [
  ...(typeof _meta === "object" && typeof requestState === "string" ? [] : ["no _meta, or no state"]),
  ...Object.keys(more).map((name) => `${resultType} with ${name}`),
  ...Object.values(inputRequests).flatMap((request) => faults(revision, questions[request.method]!, request)),
];

/** What is wrong with the reply to `body`, which was sent; empty if nothing is. */
const problems = (body: Json, { error, id, result, status, text }: Reply): ReadonlyArray<string> => {
  if (result !== undefined) {
    const other = id === body["id"] ? [] : ["the id of another request"];
    if (result.resultType === "input_required") return [...other, ...interimProblems(result)];
    return [...other, ...faults(revision, results[String(body["method"])] ?? "no such method", result)];
  }
  if (error === undefined) return status === 202 && !("id" in body) && text === "" ? [] : ["no reply"];
  return [
    ...(statuses[error.code]?.includes(status) ? [] : [`${status} with ${error.code}`]),
    ...faults(revision, "JSONRPCErrorResponse", JSON.parse(text)),
  ];
};

test("a request that is almost right gets a reply by the schema, and breaks nothing (B13, B50, B55, B72)", () => {
  const kept = log();
  return inProcess(server, async (target) => {
    const valid = await requests(target);
    for (const body of valid.slice(0, -3)) {
      assertEquals(problems(body as unknown as Json, await send(target, body)), []);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(change, { minLength: 1, maxLength: 3 }), async (which, changes) => {
        const body = changed(valid[which % valid.length]!, changes);
        assertEquals(problems(body, await sent(target, body)), []);
      }),
      { numRuns: 500 },
    );
    assert(
      kept.lines.every(({ level }) => level === "Warn" || level === "Info"),
      kept.lines.map(({ text }) => text).join(),
    );
  }, { layer: kept.layer });
});
