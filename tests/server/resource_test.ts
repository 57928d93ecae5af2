/** Resources and templates: contents, not found, failures (2026-07-28, server/resources). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import type { Fault } from "../../src/model/fault.ts";
import { Declined } from "../../src/need/errors.ts";
import * as Resource from "../../src/server/resource.ts";
import { run } from "./run.ts";

const bytes = new Uint8Array([0, 255, 16]);

const fixed = (contents: Resource.Contents, options: Partial<Resource.Options<never>> = {}) =>
  Resource.make("docs://readme", { name: "readme", ...options, handler: () => Effect.succeed(contents) });

const contentsOf = async (resource: Resource.Resource): Promise<unknown> => {
  const finished = await run(resource);
  return finished._tag === "Good" && finished.reply._tag === "Resource" ? finished.reply.contents : finished;
};

const note = Resource.template("note://{id}", {
  name: "note",
  mimeType: "text/plain",
  handler: ({ id }, uri) => id === "none" ? Effect.fail(Resource.notFound()) : Effect.succeed(`${id} of ${uri}`),
});

const read = (uri: string) => run(note, note.match(uri) ?? {});

test("make: lists what the author said", () => {
  const resource = fixed("", {
    title: "Read me",
    description: "About",
    mimeType: "text/markdown",
    size: 0,
    icons: [{ src: "https://example.com/i.png" }],
    annotations: { priority: 1 },
    _meta: { "x.y/z": 1 },
  });
  assertEquals<unknown>(resource.descriptor, {
    uri: "docs://readme",
    size: 0,
    name: "readme",
    title: "Read me",
    description: "About",
    mimeType: "text/markdown",
    annotations: { priority: 1 },
    icons: [{ src: "https://example.com/i.png" }],
    _meta: { "x.y/z": 1 },
  });
  assertEquals<unknown>(note.descriptor, { uriTemplate: "note://{id}", name: "note", mimeType: "text/plain" });
});

describe("run: gives", () => {
  const uri = "docs://readme";
  test("text", async () =>
    assertEquals(await contentsOf(fixed("a", { mimeType: "text/x" })), [{ uri, mimeType: "text/x", text: "a" }]));
  test("empty text", async () => assertEquals(await contentsOf(fixed("")), [{ uri, text: "" }]));
  test("bytes as base64", async () => assertEquals(await contentsOf(fixed(bytes)), [{ uri, blob: "AP8Q" }]));
  test("parts, with the resource's URI and type unless they have their own", async () => {
    const parts = [
      { text: "a" },
      { uri: "docs://b", mimeType: "text/b", text: "b", _meta: { "x.y/z": 1 } },
      { blob: bytes },
      { blob: "AP8Q" },
    ];
    assertEquals(await contentsOf(fixed(parts, { mimeType: "text/a" })), [
      { uri, mimeType: "text/a", text: "a" },
      { uri: "docs://b", mimeType: "text/b", _meta: { "x.y/z": 1 }, text: "b" },
      { uri, mimeType: "text/a", blob: "AP8Q" },
      { uri, mimeType: "text/a", blob: "AP8Q" },
    ]);
  });
  test("no parts", async () => assertEquals(await contentsOf(fixed([])), []));
});

test("run: caches nothing unless told to", async () => {
  const cacheOf = async (resource: Resource.Resource): Promise<unknown> => {
    const finished = await run(resource);
    return finished._tag === "Good" && finished.reply._tag === "Resource" ? finished.reply.cache : finished;
  };
  assertEquals(await cacheOf(fixed("")), { ttlMs: 0, scope: "private" });
  assertEquals(await cacheOf(fixed("", { cache: { ttl: "1 minute" } })), { ttlMs: 60_000, scope: "private" });
  assertEquals(await cacheOf(fixed("", { cache: { ttl: 5, scope: "public" } })), { ttlMs: 5, scope: "public" });
  assertThrows(() => fixed("", { cache: { ttl: Infinity } }), "Cannot make resource");
});

test("template: gives the handler the variables and the URI that was asked for", async () => {
  assertEquals<unknown>(await read("note://a%20b"), {
    _tag: "Good",
    reply: {
      _tag: "Resource",
      contents: [{ uri: "note://a%20b", mimeType: "text/plain", text: "a b of note://a%20b" }],
      cache: { ttlMs: 0, scope: "private" },
    },
  });
});

test("notFound: is -32602 with the URI (2026-07-28, server/resources, Error handling)", async () => {
  assertEquals<unknown>(await read("note://none"), {
    _tag: "Bad",
    reply: { _tag: "Fault", code: -32602, message: "Resource not found", data: { uri: "note://none" }, status: 200 },
  });
  const gone = await run(
    Resource.make("docs://gone", { name: "gone", handler: () => Effect.fail(Resource.notFound()) }),
  );
  assert(gone._tag === "Bad");
  assertEquals((gone.reply as Fault).data, { uri: "docs://gone" });
});

test("run: says what was declined, with its key and action (DESIGN, section 3, rule 2)", async () => {
  const asks = Resource.make("docs://asks", { name: "asks", handler: () => Effect.fail(new Declined({ key: "k" })) });
  assertEquals<unknown>(await run(asks), {
    _tag: "Bad",
    reply: {
      _tag: "Fault",
      code: -32603,
      message: 'The user declined "k"',
      data: { key: "k", action: "decline" },
      status: 200,
    },
  });
});

test("run: hides crashes and contents that are none", async () => {
  const odd = (value: unknown) => fixed(value as string);
  for (const resource of [odd(undefined), odd(1), odd([1]), odd([{}]), odd({ text: "a" })]) {
    const finished = await run(resource);
    assert(finished._tag === "Bad" && finished.cause !== undefined);
    assertEquals((finished.reply as Fault).message, "Internal error");
  }
  const dies = await run(Resource.make("docs://d", { name: "d", handler: () => Effect.die(new Error("SECRET")) }));
  assert(dies._tag === "Bad" && !JSON.stringify(dies.reply).includes("SECRET"));
});

describe("make: refuses a URI that", () => {
  for (
    const uri of [
      "",
      "readme",
      "/readme",
      "docs:",
      "docs://a b",
      "docs://a\n",
      "docs://{id}",
      "docs://%zz",
      "1docs://a",
    ]
  ) {
    test(JSON.stringify(uri), () => {
      assertThrows(() => Resource.make(uri, { name: "a", handler: () => Effect.succeed("") }), "Cannot make resource");
    });
  }
});

test("template: refuses what is malformed, naming it", () => {
  assertThrows(
    () => Resource.template("note://{a}{b}", { name: "a", handler: () => Effect.succeed("") }),
    'Cannot make resource template "note://{a}{b}": it is not clear where the variable "a" ends',
  );
});
