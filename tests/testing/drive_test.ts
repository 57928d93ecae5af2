/** The driver of rounds, against servers that say what they are told to. */
import { describe, test } from "node:test";
import * as Effect from "effect/Effect";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { isRecord, type JsonRecord } from "../../src/model/json.ts";
import { accept, later } from "../../src/testing/answer.ts";
import { make } from "../../src/testing/connection.ts";
import { drive } from "../../src/testing/drive.ts";
import type { CallOptions } from "../../src/testing/options.ts";
import type { Script } from "../../src/testing/script.ts";

const form = (message: string): JsonRecord => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties: {} } },
});

const interim = (inputRequests: JsonRecord | undefined, requestState?: string): JsonRecord => ({
  resultType: "input_required",
  ...(inputRequests === undefined ? {} : { inputRequests }),
  ...(requestState === undefined ? {} : { requestState }),
});

const complete: JsonRecord = { resultType: "complete", content: [{ type: "text", text: "done" }] };

/** A server that gives one reply after the other, and keeps the params of all requests. */
const server = (...replies: ReadonlyArray<JsonRecord>) => {
  const seen: Array<JsonRecord> = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { id, params } = await request.json();
    seen.push(params);
    const reply = replies[Math.min(seen.length, replies.length) - 1]!;
    return Response.json({ jsonrpc: "2.0", id, ...("code" in reply ? { error: reply } : { result: reply }) });
  };
  const call = (script: Script = {}, options?: CallOptions) =>
    drive(make(fetch, "http://localhost/mcp", {}), "tools/call", { name: "t", arguments: { a: 1 } }, script, options);
  return { seen, call };
};

const failure = async <A, E extends Error>(effect: Effect.Effect<A, E>): Promise<E> =>
  await Effect.runPromise(Effect.flip(effect));

describe("drive", () => {
  test("drive: retries with the same params, the answers and the state as it came (MRTR, client requirements)", async () => {
    const { call, seen } = server(interim({ who: form("Who?") }, "s1"), complete);
    const rounds = await Effect.runPromise(call({ who: accept({ name: "Ada" }) }));
    const [first, second] = seen.map(({ _meta, ...params }) => params);
    assertEquals(first, { name: "t", arguments: { a: 1 } });
    assertEquals(second, {
      name: "t",
      arguments: { a: 1 },
      inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
      requestState: "s1",
    });
    assertEquals(rounds.map(({ number, stateLength, status }) => [number, stateLength, status]), [[1, 2, 200], [
      2,
      0,
      200,
    ]]);
    assertEquals(rounds[0]!.asked["who"]?.message, "Who?");
    assertEquals(rounds[1]!.answered, { who: { action: "accept", content: { name: "Ada" } } });
    assertEquals(rounds[1]!.result, complete);
  });

  test("drive: sends a new id and the protocol's metadata with every request", async () => {
    const { call, seen } = server(interim(undefined, "s1"), complete);
    await Effect.runPromise(
      call({}, { capabilities: ["elicitation.form"], meta: { "x.example/y": 1 }, logLevel: "none" }),
    );
    const metas = seen.map(({ _meta }) => _meta as JsonRecord);
    assertEquals(metas.map((meta) => meta["progressToken"]), [1, 2]);
    assertEquals(metas[0], {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "needful-testing", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      progressToken: 1,
      "x.example/y": 1,
    });
  });

  test("drive: comes back with the state alone when nothing is asked", async () => {
    const { call, seen } = server(interim(undefined, "s1"), interim({}, "s2"), complete);
    const rounds = await Effect.runPromise(call());
    assertEquals(rounds.length, 3);
    assertEquals(seen.map((params) => [params["requestState"], "inputResponses" in params]), [
      [undefined, false],
      ["s1", false],
      ["s2", false],
    ]);
  });

  test("drive: sends no state where the server sent none", async () => {
    const { call, seen } = server(interim({ who: form("Who?") }), complete);
    await Effect.runPromise(call({ who: accept() }));
    assertEquals("requestState" in seen[1]!, false);
  });

  test("drive: fails on a key that the script does not answer, and names it", async () => {
    const error = await failure(server(interim({ who: form("Who?") }, "s")).call({ other: accept() }));
    assertEquals(error._tag, "ScriptError");
    assertEquals(
      error.message,
      '"who" was asked, but the script has no answer for it: "Who?"; it has answers for "other"',
    );
    assertEquals(error.rounds.length, 1);
  });

  test("drive: fails on an answer that nobody asked for", async () => {
    const error = await failure(server(complete).call({ who: accept() }));
    assertEquals(error.message, 'The script answers "who", but the server never asked');
  });

  test("drive: fails on what is left of a list", async () => {
    const { call } = server(interim({ who: form("Who?") }, "s"), complete);
    const error = await failure(call({ who: [accept(), accept()] }));
    assertEquals(error.message, 'The script has 2 answers for "who", but the server asked for 1');
  });

  test("drive: fails when a key is asked more often than it is answered", async () => {
    const { call } = server(interim({ who: form("Who?") }, "s"));
    const error = await failure(call({ who: accept() }));
    assertEquals(
      error.message,
      '"who" was asked more often (2) than the script answers it; the last time: "Who?"',
    );
  });

  test("drive: answers with a function every time, with what is asked", async () => {
    const { call } = server(interim({ who: form("A?") }, "s"), interim({ who: form("B?") }, "s"), complete);
    const asked: Array<readonly [number, string]> = [];
    await Effect.runPromise(call({
      who: ({ message, round }) => {
        asked.push([round, message]);
        return accept();
      },
    }));
    assertEquals(asked, [[1, "A?"], [2, "B?"]]);
  });

  test("drive: leaves out what is answered later", async () => {
    const questions = interim({ a: form("A?"), b: form("B?") }, "s");
    const { call, seen } = server(questions, interim({ b: form("B?") }, "s"), complete);
    await Effect.runPromise(call({ a: accept(), b: [later, accept()] }));
    assertEquals(seen.map((params) => Object.keys(params["inputResponses"] as object ?? {})), [[], ["a"], ["b"]]);
  });

  test("drive: treats __proto__ as a key like any other", async () => {
    const { call, seen } = server(interim(JSON.parse(JSON.stringify({ ["__proto__"]: form("?") })), "s"), complete);
    await Effect.runPromise(call({ ["__proto__"]: accept() }));
    assertEquals(Object.keys(seen[1]!["inputResponses"] as object), ["__proto__"]);
  });

  test("drive: sends volunteered answers with the first request", async () => {
    const { call, seen } = server(complete);
    await Effect.runPromise(call({}, { volunteered: { who: accept() } }));
    assertEquals(seen[0]!["inputResponses"], { who: { action: "accept" } });
  });

  test("drive: gives up after as many retries as the official client, 10, and after fewer if told so", async () => {
    const { call, seen } = server(interim(undefined, "s"));
    assertEquals((await failure(call())).message, "No result after 10 retries; the last round ended with state alone");
    assertEquals(seen.length, 11);
    const asking = server(interim({ a: form("A?") }, "s"));
    const error = await failure(asking.call({ a: () => accept() }, { maxRetries: 2 }));
    assertEquals(error.message, 'No result after 2 retries; the last round ended with "a"');
  });

  test("drive: says of a question that changes from round to round why no answer counts", async () => {
    const changing = [1, 2, 3].map((round) => interim({ a: form("A?"), now: form(`It is ${round}`) }, "s"));
    const error = await failure(
      server(...changing).call({ a: () => accept(), now: () => accept() }, { maxRetries: 2 }),
    );
    assertEquals(
      error.message,
      'No result after 2 retries; the last round ended with "a", "now", and "now" asks something else in every round: ' +
        "the answer to one question does not count for another",
    );
  });

  test("drive: fails with the error of the server, and its rounds", async () => {
    const { call } = server(interim(undefined, "s"), { code: -32602, message: "Invalid request state" });
    const error = await failure(call());
    assertEquals(
      error._tag === "RpcError" && [error.code, error.message, error.status, error.rounds.length],
      [-32602, "Invalid request state", 200, 2],
    );
  });

  test("drive: fails on an interim result with neither questions nor state, and on unknown types of results", async () => {
    assertStringIncludes((await failure(server(interim({})).call())).message, "neither questions nor state");
    assertStringIncludes((await failure(server({ content: [] }).call())).message, "unknown type undefined");
  });

  test("drive: learns which parameters are mirrored into headers when the server misses them, and tries again", async () => {
    const methods: Array<unknown> = [];
    const fetch = async (request: Request): Promise<Response> => {
      const { id, method } = await request.json();
      methods.push([method, request.headers.get("mcp-param-a")]);
      const missing = { error: { code: -32020, message: "Header mismatch" } };
      const tools = [{ name: "t", inputSchema: { properties: { a: { "x-mcp-header": "A" } } } }];
      const found = method === "tools/list" ? { result: { resultType: "complete", tools } } : { result: complete };
      const answer = method === "tools/call" && !request.headers.has("mcp-param-a") ? missing : found;
      return Response.json({ jsonrpc: "2.0", id, ...answer });
    };
    const connection = make(fetch, "http://localhost/mcp", {});
    const rounds = await Effect.runPromise(drive(connection, "tools/call", { name: "t", arguments: { a: 1 } }, {}, {}));
    assertEquals(methods, [["tools/call", null], ["tools/list", null], ["tools/call", "1"]]);
    assertEquals([rounds.length, isRecord(rounds[0]!.result)], [1, true]);
  });
});
