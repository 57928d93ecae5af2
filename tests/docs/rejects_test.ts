/**
 * What must not compile, in the returning style above all, and why it does not: the compiler is run on each line and has to
 * name the promise that the line breaks. `types_test.ts` has what must compile, and holds both in the editor.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { run } from "../process.ts";

const config = fileURLToPath(new URL("../../deno.json", import.meta.url));

const preamble = `
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, RequestState, Tool } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";

const message = "?";
const requests = {
  who: Manual.elicit({ message, schema: Schema.Struct({ name: Schema.String }) }),
  pay: Manual.elicitUrl({ message, url: "https://shop.example" }),
  poem: Manual.createMessage({ messages: [], maxTokens: 1 }),
  roots: Manual.listRoots(),
};
const all = Manual.responses(requests);
const returned = Manual.inputRequired({ inputRequests: requests });
const hoisted = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const hoistedRoot = { type: "object", properties: {} };
const hoistedField = { type: "object" as const, properties: { name: { type: "string" } } };
const constant = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const literal = Manual.elicit({ message, schema: constant });
const optional = Manual.elicit({ message, schema: { type: "object", properties: { n: { type: "integer" } } } });
const colour = Manual.elicit({
  message,
  schema: { type: "object", properties: { c: { type: "string", enum: ["r"] } }, required: ["c"] },
});
type Content<T> = T extends Manual.Request<Manual.FormResponse<infer A>> ? A : never;
const content = <T>(_: T): Content<T> => undefined as never;
const Step = RequestState.make({ schema: Schema.Struct({ n: Schema.Int }) });
interface Shop {
  readonly open: boolean;
}
declare const needy: McpServer.McpServer<Shop>;
`;

/** Lines, the code of the one error that each has to have, and a part of what it says. */
const rejected: ReadonlyArray<readonly [line: string, code: string, says: string]> = [
  // The schema that asks
  ["Manual.elicit({ message, schema: hoisted });", "TS2322", `Type 'string' is not assignable to type '"object"'`],
  ["Manual.elicit({ message, schema: hoistedRoot });", "TS2322", `Type 'string' is not assignable to type '"object"'`],
  [
    "Manual.elicit({ message, schema: hoistedField });",
    "TS2322",
    `Type 'string' is not assignable to type '"string" | `,
  ],
  [
    `Manual.elicit({ message, schema: { type: "object", properties: { n: { type: "text" } } } });`,
    "TS2322",
    `Type '"text"' is not assignable`,
  ],
  [
    `Manual.elicit({ message, schema: { type: "string" } });`,
    "TS2322",
    `'"string"' is not assignable to type '"object"'`,
  ],
  ["content(literal).name satisfies number;", "TS1360", "Type 'string' does not satisfy"],
  ["content(literal).surname;", "TS2339", "'surname' does not exist on type '{ readonly name: string; }'"],
  ["content(optional).n satisfies number;", "TS1360", "Type 'number | undefined' does not satisfy"],
  [`content(colour).c satisfies "r";`, "TS1360", `Type 'string' does not satisfy the expected type '"r"'`],
  [
    `Manual.createMessage({ messages: [], maxTokens: "many" });`,
    "TS2322",
    "'string' is not assignable to type 'number'",
  ],
  // The key that reads
  ["Effect.map(all, (answers) => answers.whom);", "TS2551", "Property 'whom' does not exist"],
  [`Manual.accepted(requests, "whom");`, "TS2345", `'"whom"' is not assignable to parameter of type '"who"'`],
  [`Manual.accepted(requests, "pay");`, "TS2345", `'"pay"' is not assignable to parameter of type '"who"'`],
  [`Manual.accepted(requests, "poem");`, "TS2345", `'"poem"' is not assignable to parameter of type '"who"'`],
  [`Manual.accepted(requests, "roots");`, "TS2345", `'"roots"' is not assignable to parameter of type '"who"'`],
  // What may not have come, or not be accepted, or not be valid
  ["Effect.map(all, (answers) => answers.who.action);", "TS18048", "'answers.who' is possibly 'undefined'"],
  [
    "Effect.map(all, (answers) => answers.who?.content);",
    "TS2339",
    `does not exist on type '{ readonly action: "decline"; }'`,
  ],
  [
    "Effect.map(all, (answers) => answers.roots?.content);",
    "TS2339",
    "'content' does not exist on type 'RootsResponse'",
  ],
  [
    `Effect.map(Manual.accepted(requests, "who"), (content) => content.name);`,
    "TS2339",
    "'name' does not exist on type 'Option<{ readonly name: string; }>'",
  ],
  [
    `Tool.make("t", { handler: () => Effect.as(Manual.accepted(requests, "who"), "") });`,
    "TS2375",
    "Type 'InvalidAnswer' is not assignable to type 'Errors'",
  ],
  [
    `Manual.acceptedUnchecked<{ n: 1 }>("who").pipe(Effect.map(Option.map(({ m }) => m)));`,
    "TS2339",
    "'m' does not exist on type '{ n: 1; }'",
  ],
  // What is returned
  ["Manual.inputRequired({});", "TS2345", "'{}' is not assignable to parameter of type 'InputRequiredOptions'"],
  ["Manual.inputRequired({ requestState: { step: 1 } });", "TS2322", "is not assignable to type 'string'"],
  [
    `Manual.inputRequired({ inputRequests: { a: { method: "elicitation/create" } } });`,
    "TS2741",
    `'"~needful/manual/Request"' is missing`,
  ],
  [
    `Manual.inputRequired({ inputRequests: { a: Need.confirm("a", message) } });`,
    "TS2739",
    "Type 'Need<boolean, never, Elicitation>' is missing",
  ],
  [
    `Tool.make("t", { output: Schema.Struct({ n: Schema.Int }), handler: () => Effect.succeed(Math.random() < 1 ? returned : { m: 1 }) });`,
    "TS2375",
    "Type '{ m: number; }' is not assignable",
  ],
  [`Manual.canRequest("poem");`, "TS2345", "'string' is not assignable to parameter of type 'Request<unknown>'"],
  [`Manual.missing({ who: "me" });`, "TS2322", "'string' is not assignable to type 'Request<unknown>'"],
  // States
  [`Step.seal({ n: "1" });`, "TS2322", "'string' is not assignable to type 'number'"],
  ["Step.seal({});", "TS2345", "Property 'n' is missing in type '{}'"],
  [
    `RequestState.make({ schema: Schema.Int, key: "k", bind: ["session"] });`,
    "TS2322",
    `'"session"' is not assignable to type 'Part'`,
  ],
  [
    `RequestState.make({ schema: Schema.Int, key: "k", mode: "none" });`,
    "TS2322",
    `'"none"' is not assignable to type 'Mode'`,
  ],
  // Reads belong to a call
  ["Effect.runSync(all);", "TS2379", "Type 'Flow' is not assignable to type 'never'"],
  ["Effect.runSync(Step.open);", "TS2379", "Type 'Flow' is not assignable to type 'never'"],
  // A service that nobody provides is named, wherever the server goes
  ["McpServer.toWebHandler(needy);", "TS2345", "Type 'Shop' is not assignable to type 'never'"],
  ["DenoServer.run(DenoServer.layer(needy));", "TS2379", "Type 'Shop' is not assignable to type 'never'"],
];

/** The errors of the compiler by the lines that they are about. */
const errorsOf = (
  output: string,
): ReadonlyMap<number, ReadonlyArray<{ readonly code: string; readonly text: string }>> => {
  const errors = new Map<number, Array<{ readonly code: string; readonly text: string }>>();
  for (const block of output.split(/^(?=TS\d+ \[ERROR\])/m)) {
    const [, code] = /^(TS\d+) \[ERROR\]/.exec(block) ?? [];
    const [, line] = /^ {4}at .*:(\d+):\d+$/m.exec(block) ?? [];
    if (code === undefined || line === undefined) continue;
    errors.set(Number(line), [...errors.get(Number(line)) ?? [], { code, text: block }]);
  }
  return errors;
};

test("Manual: what breaks a promise of the types does not compile, and for that reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "needful-rejects-"));
  try {
    const file = join(folder, "rejects.ts");
    const first = preamble.split("\n").length;
    await writeFile(file, preamble + rejected.map(([line]) => `${line}\n`).join(""));
    const { code, output } = await run(["check", "--config", config, file]);
    const errors = errorsOf(output);
    assertEquals(code, 1, output);
    for (const [index, [line, code, says]] of rejected.entries()) {
      const found = errors.get(first + index) ?? [];
      assertEquals(
        found.map((error) => [error.code, error.text.includes(says)]),
        [[code, true]],
        `${line}\n${found[0]?.text}`,
      );
    }
    assertEquals(errors.size, rejected.length, output);
  } finally {
    await rm(folder, { recursive: true });
  }
});
