/** Case B45: headers that mirror the body say the same as the body. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Prompt, Resource, Tool } from "@needful/mcp";
import { counter, echo } from "./fixtures.ts";
import { bothWays, inProcess, overHttp } from "./serve.ts";
import { raw } from "./socket.ts";
import {
  type Body,
  call,
  type Changes,
  completes,
  fails,
  headers,
  type Json,
  META,
  prompt,
  read,
  revision,
  rpc,
  send,
  sentinel,
} from "./wire.ts";

const strange = "=?base64?abc?=";
const region = Tool.make("region", {
  description: "Has parameters in headers",
  input: Schema.Struct({
    region: Schema.optionalKey(Schema.NullOr(Schema.String)),
    place: Schema.optionalKey(Schema.String.pipe(Tool.header("Place"))),
    count: Schema.optionalKey(Schema.Int.pipe(Tool.header("Count"))),
    sure: Schema.optionalKey(Schema.Boolean.pipe(Tool.header("Sure"))),
  }),
  handler: (args) => Effect.succeed(JSON.stringify(args)),
});

const server = () =>
  McpServer.make({
    name: "headers",
    version: "1",
    tools: [
      echo(counter()),
      region,
      Tool.make(strange, { description: "Strange", handler: () => Effect.succeed("strange") }),
    ],
    prompts: [Prompt.make("日本語", { description: "Named in Japanese", handler: () => Effect.succeed("p") })],
    resources: [Resource.make("note:///café/日本語", { name: "note", handler: () => Effect.succeed("note") })],
  });

const uri = "note:///café/日本語";

describe("B45: Mcp-Name and Mcp-Method", () => {
  const good: ReadonlyArray<readonly [string, Body, Changes]> = [
    ["an encoded URI", read(uri), { "mcp-name": "=?base64?bm90ZTovLy9jYWbDqS/ml6XmnKzoqp4=?=" }],
    ["an encoded name of a prompt", prompt("日本語"), { "mcp-name": sentinel("日本語") }],
    ["an encoded name that is plain, too", call("echo"), { "mcp-name": sentinel("echo") }],
    ["a name that looks encoded, encoded", call(strange), { "mcp-name": "=?base64?PT9iYXNlNjQ/YWJjPz0=?=" }],
    ["a name where none is required (section 9)", rpc("tools/list", META()), { "mcp-name": "whatever" }],
    ["a name where none is required, badly encoded", rpc("server/discover", META()), { "mcp-name": "=?base64?%?=" }],
  ];
  const bad: ReadonlyArray<readonly [string, Body, Changes]> = [
    ["a name that looks encoded, raw", call(strange), { "mcp-name": strange }],
    ["an upper-case marker, which is compared literally", call("echo"), { "mcp-name": "=?BASE64?ZWNobw==?=" }],
    ["characters that are no base64", call("echo"), { "mcp-name": "=?base64?ZWN%bw==?=" }],
    ["base64 without its padding", call("echo"), { "mcp-name": "=?base64?ZWNobw?=" }],
    ["base64 with bits to spare", call("echo"), { "mcp-name": "=?base64?ZWNobx==?=" }],
    ["base64url", read(uri), { "mcp-name": sentinel(uri).replaceAll("/", "_") }],
    ["base64 with white space", call("echo"), { "mcp-name": "=?base64?ZWNo bw==?=" }],
    ["base64 of invalid UTF-8", call("echo"), { "mcp-name": "=?base64?/w==?=" }],
    ["an empty sentinel", call("echo"), { "mcp-name": "=?base64??=" }],
    ["encoded twice", call("echo"), { "mcp-name": sentinel(sentinel("echo")) }],
    ["no Mcp-Name", call("echo"), { "mcp-name": null }],
    ["no Mcp-Name of a prompt", prompt("日本語"), { "mcp-name": null }],
    ["no Mcp-Name of a resource", read(uri), { "mcp-name": null }],
    ["an empty Mcp-Name", call("echo"), { "mcp-name": "" }],
    ["another name", call("echo"), { "mcp-name": "region" }],
    ["a name of another case", call("echo"), { "mcp-name": "Echo" }],
    ["an unknown name that is not the body's", call("nobody"), { "mcp-name": "echo" }],
    ["no Mcp-Method", call("echo"), { "mcp-method": null }],
    ["no Mcp-Method on a list", rpc("tools/list", META()), { "mcp-method": null }],
    ["a method of another case", call("echo"), { "mcp-method": "TOOLS/CALL" }],
    ["another method", call("echo"), { "mcp-method": "tools/list" }],
    ["an encoded method", call("echo"), { "mcp-method": sentinel("tools/call") }],
    ["no version", call("echo"), { "mcp-protocol-version": null }],
    ["another version", call("echo"), { "mcp-protocol-version": "2025-11-25" }],
    ["a version that does not exist", call("echo"), { "mcp-protocol-version": "2026-07-29" }],
    ["Mcp-Name on tools/list does not save another method", rpc("tools/list", META()), { "mcp-method": "tools/call" }],
  ];
  for (const [name, body, changes] of good) {
    test(`B45: ${name} is served`, () =>
      bothWays(server, async (target) => {
        const reply = await send(target, body, changes);
        assertEquals([reply.status, reply.result?.resultType], [200, "complete"], reply.text);
      }));
  }
  for (const [name, body, changes] of bad) {
    test(`B45: ${name} is refused with 400 and -32020`, () =>
      inProcess(server(), async (target) => {
        const reply = await send(target, body, changes);
        fails(reply, 400, -32020);
        assertEquals(reply.id, body.id);
      }));
  }

  const rawHeaders = (body: Body, changes: Changes = {}) => Object.entries(headers(body as unknown as Json, changes));

  test("B45: raw bytes outside of ASCII are refused, though they are the name in UTF-8", () =>
    overHttp(server(), async ({ port }) => {
      const body = read(uri);
      const { body: text, status } = await raw(port, {
        headers: [...rawHeaders(body, { "mcp-name": null }), ["Mcp-Name", uri]],
        body: JSON.stringify(body),
      });
      assertEquals([status, (JSON.parse(text) as { error: Json }).error["code"]], [400, -32020]);
    }));

  test("B45: names of headers are case-insensitive, a header that stands twice is one value that is not the body's", () =>
    overHttp(server(), async ({ port }) => {
      const body = call("echo", { a: 1 });
      const upper = rawHeaders(body).map(([name, value]) => [name.toUpperCase(), value] as const);
      const once = await raw(port, { headers: upper, body: JSON.stringify(body) });
      assertEquals(once.status, 200, once.body);
      for (const twice of ["mcp-name", "mcp-method", "mcp-protocol-version"]) {
        const value = headers(body as unknown as Json)[twice]!;
        const answer = await raw(port, { headers: [...rawHeaders(body), [twice, value]], body: JSON.stringify(body) });
        assertEquals([answer.status, (JSON.parse(answer.body) as { error: Json }).error["code"]], [400, -32020], twice);
      }
    }));

  test("B45: white space around a value is no part of it (RFC 9110, 5.5)", () =>
    overHttp(server(), async ({ port }) => {
      const body = call("echo");
      const answer = await raw(port, {
        headers: rawHeaders(body).map(([name, value]) => [name, `  ${value} \t`] as const),
        body: JSON.stringify(body),
      });
      assertEquals(answer.status, 200, answer.body);
    }));
});

describe("B45: the order of errors (section 9)", () => {
  const wrong = { "io.modelcontextprotocol/protocolVersion": "1900-01-01" };
  const order: ReadonlyArray<readonly [string, Body, Changes, number, number]> = [
    [
      "a version that is not the header's comes before one that is not served",
      rpc("tools/list", META({}, wrong)),
      {},
      400,
      -32020,
    ],
    [
      "a version that is not served before a wrong method header",
      rpc("tools/list", META({}, wrong)),
      { "mcp-protocol-version": "1900-01-01", "mcp-method": "x" },
      400,
      -32022,
    ],
    ["a method header before the rest of _meta", rpc("tools/list", META([])), { "mcp-method": "x" }, 400, -32020],
    ["the fields of _meta before an unknown method", rpc("nope/nope", META([])), {}, 400, -32602],
    ["an unknown method before its params", rpc("nope/nope", { ...META(), name: 7 }), {}, 404, -32601],
    ["an unknown tool before a parameter's header", call("nobody", { place: "x" }), {}, 200, -32602],
    [
      "arguments that are no object before a parameter's header",
      call("region", [], {}),
      { "mcp-param-place": "x" },
      200,
      -32602,
    ],
    ["a parameter's header before the state", call("region", { place: "x" }, {}, { requestState: 1 }), {}, 400, -32020],
    [
      "the state before the tool's arguments",
      call("region", { count: "x" }, {}, { requestState: 1 }),
      { "mcp-param-count": "x" },
      200,
      -32602,
    ],
  ];
  for (const [name, body, changes, status, code] of order) {
    test(`B45: ${name}`, () =>
      inProcess(server(), async (target) => void fails(await send(target, body, changes), status, code)));
  }

  test("B45: an unsupported version names what was asked for and what there is", () =>
    inProcess(server(), async (target) => {
      for (const version of ["1900-01-01", "2025-11-25", "2027-01-01", "x"]) {
        const body = rpc("tools/list", META({}, { "io.modelcontextprotocol/protocolVersion": version }));
        const error = fails(await send(target, body, { "mcp-protocol-version": version }), 400, -32022);
        assertEquals(error.data, { supported: [revision], requested: version });
      }
    }));

  test("B45: arguments that do not fit are a complete result with isError that names the field", () =>
    inProcess(server(), async (target) => {
      const reply = await send(target, call("region", { sure: true, region: 7 }), { "mcp-param-sure": "true" });
      assertEquals([reply.status, reply.result?.resultType, reply.result?.isError], [200, "complete", true]);
      assert(reply.result?.content?.[0]?.text?.includes("region"), reply.text);
    }));
});

describe("B45: Mcp-Param headers", () => {
  const cases: ReadonlyArray<readonly [string, Json, Changes, "served" | "refused"]> = [
    ["what is equal", { place: "us-west1" }, { "mcp-param-place": "us-west1" }, "served"],
    ["what is encoded", { place: "日本語" }, { "mcp-param-place": sentinel("日本語") }, "served"],
    ["an empty text", { place: "" }, { "mcp-param-place": "" }, "served"],
    ["another text", { place: "us-west1" }, { "mcp-param-place": "us-west2" }, "refused"],
    ["a missing header", { place: "us-west1" }, {}, "refused"],
    ["a header without an argument", {}, { "mcp-param-place": "us-west1" }, "refused"],
    ["a badly encoded header", { place: "x" }, { "mcp-param-place": "=?base64?%?=" }, "refused"],
    ["an integer", { count: 42 }, { "mcp-param-count": "42" }, "served"],
    ["an integer in another form", { count: 42 }, { "mcp-param-count": "42.0" }, "served"],
    ["a negative integer", { count: -7 }, { "mcp-param-count": "-7" }, "served"],
    ["another integer", { count: 42 }, { "mcp-param-count": "43" }, "refused"],
    ["an integer with words", { count: 42 }, { "mcp-param-count": "42 apples" }, "refused"],
    ["an integer in hexadecimal", { count: 42 }, { "mcp-param-count": "0x2a" }, "refused"],
    ["an empty header of an integer", { count: 0 }, { "mcp-param-count": "" }, "refused"],
    ["an unsafe integer", { count: 2 ** 53 }, { "mcp-param-count": "9007199254740992" }, "refused"],
    ["a boolean", { sure: true }, { "mcp-param-sure": "true" }, "served"],
    ["a boolean of another case", { sure: true }, { "mcp-param-sure": "True" }, "refused"],
    ["a boolean as a number", { sure: true }, { "mcp-param-sure": "1" }, "refused"],
    ["a header that no parameter has", {}, { "mcp-param-other": "x" }, "served"],
  ];
  for (const [name, args, changes, verdict] of cases) {
    test(`B45: ${name} is ${verdict}`, () =>
      inProcess(server(), async (target) => {
        const reply = await send(target, call("region", args), changes);
        if (verdict === "served") completes(reply, JSON.stringify(args));
        else fails(reply, 400, -32020);
      }));
  }

  test("B45: null counts as absent: no header is expected, and one that is sent is refused", () =>
    inProcess(server(), async (target) => {
      // The argument itself is then refused by the tool's own schema, in a result
      const reply = await send(target, call("region", { place: null }));
      assertEquals(reply.result?.isError, true, reply.text);
      fails(await send(target, call("region", { place: null }), { "mcp-param-place": "null" }), 400, -32020);
    }));
});
