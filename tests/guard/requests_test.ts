/**
 * What a request makes the server do, counted instead of timed, so that what is added to every request is seen. Where a
 * number rises here, the request does more than it did: change it only with the reason for it beside it.
 */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { after, before, describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { McpServer, Need, Tool } from "@needful/mcp";
import { counted, type Counts, layer, without } from "./counter.ts";

const Name = Schema.Struct({ name: Schema.String });
const ask = (key: string) => Need.elicit(key, { message: "Who is it?", schema: Name });

const server = McpServer.make({
  name: "guard",
  version: "1",
  tools: [
    Tool.make("echo", {
      description: "Says it again",
      input: Schema.Struct({ text: Schema.String }),
      handler: Effect.fnUntraced(function* ({ text }) {
        return yield* Effect.succeed(text);
      }),
    }),
    Tool.make("greet", {
      description: "Asks one after the other",
      input: Schema.Struct({ guests: Schema.Int }),
      handler: Effect.fnUntraced(function* ({ guests }) {
        const names: Array<string> = [];
        for (let guest = 1; guest <= guests; guest++) names.push((yield* ask(`guest ${guest}`)).name);
        return names.join();
      }),
    }),
    Tool.make("pair", {
      description: "Asks two at once",
      handler: () => Effect.as(Need.all([ask("one"), ask("two")]), "both"),
    }),
    Tool.make("fork", {
      description: "Asks two at once, in fibers of their own",
      handler: () => Effect.as(Effect.all([ask("one"), ask("two")], { concurrency: "unbounded" }), "both"),
    }),
    Tool.make("wait", {
      description: "Waits for something, then asks",
      handler: () => Effect.as(Effect.andThen(Effect.promise(() => Promise.resolve()), ask("one")), "one"),
    }),
  ],
});

const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly [member: string]: unknown };
}

/** A message as a host passes it on that reads HTTP. Its text is ASCII. */
const request = ({ id = 1, method, params = {} }: Message, notification = false): Request => {
  const body = JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta }, ...notification ? {} : { id } });
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "accept": "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": String(body.length),
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...params.name === undefined ? {} : { "mcp-name": params.name },
    },
    body,
  });
};

const call = (name: string, args: object, more: object = {}): Message => ({
  method: "tools/call",
  params: { name, arguments: args, ...more },
});

interface Result {
  readonly inputRequests?: { readonly [key: string]: unknown };
  readonly requestState?: string;
}

describe("what a request costs", () => {
  const { dispose, fetch } = McpServer.toWebHandler(server, layer, { framed: true });

  /** What the host does by itself where a body is read: on Node a microtask of its own. */
  let host: Counts;

  const costOf = async (
    request: Request,
  ): Promise<{ readonly counts: Counts; readonly result: Result | undefined }> => {
    let response: Response | undefined;
    const counts = await counted(async () => {
      response = await fetch(request);
    });
    const text = await response?.text() ?? "";
    return { counts: without(counts, host), result: text === "" ? undefined : JSON.parse(text).result };
  };

  /** A call of `greet`, from its second round on with the answers that the last one asked for: what each round costs. */
  const rounds = async (guests: number): Promise<ReadonlyArray<Counts>> => {
    const costs: Array<Counts> = [];
    let retry = {};
    for (let round = 1; round <= guests + 1; round++) {
      const { counts, result } = await costOf(request(call("greet", { guests }, retry)));
      costs.push(counts);
      const answers = Object.keys(result?.inputRequests ?? {})
        .map((key) => [key, { action: "accept", content: { name: "Ada" } }]);
      retry = { requestState: result?.requestState, inputResponses: Object.fromEntries(answers) };
    }
    return costs;
  };

  before(async () => {
    const body = request(call("echo", { text: "x" }));
    host = await counted(() => body.arrayBuffer());
    // The first requests make the layer and compile the schemas
    for (const name of ["echo", "pair", "fork", "wait"]) await costOf(request(call(name, { text: "first" })));
    await rounds(1);
  });
  after(dispose);

  /**
   * Of what each request needs. Headers are those that DESIGN section 9 orders to be checked: origin, host, accept, content
   * type and encoding, content length (against the limit, and again with the transfer encoding to see whether it frames
   * the body), version and method. The body is parsed once, and acted on in one fiber, which runs from its start to its end.
   */
  const each = { "JSON.parse": 1, fiber: 1, header: 10, run: 1 };
  /** A call has `Mcp-Name` besides. */
  const named = { ...each, header: 11 };
  /** A handler has a fiber of its own, so that it can be interrupted from outside (G4). Ids of flows are made in advance. */
  const handled = { ...named, fiber: 2, run: 2 };

  test("tools/call: writes the id and the content", async () => {
    const { counts } = await costOf(request(call("echo", { text: "x" })));
    assertEquals(counts, { ...handled, "JSON.stringify": 2 });
  });

  test("tools/list: writes the id, and the page for the first caller only", async () => {
    const list = async () => (await costOf(request({ method: "tools/list" }))).counts;
    assertEquals(await list(), { ...each, "JSON.stringify": 2 });
    assertEquals(await list(), { ...each, "JSON.stringify": 1 });
  });

  test("tools/call: forks nothing for arguments that are refused, and writes the id and the reason", async () => {
    const { counts } = await costOf(request(call("echo", {})));
    assertEquals(counts, { ...named, "JSON.stringify": 2 });
  });

  test("errors: are written at once", async () => {
    assertEquals((await costOf(request(call("nobody", {})))).counts, { ...named, "JSON.stringify": 1 });
    assertEquals((await costOf(request({ method: "nothing" }))).counts, { ...each, "JSON.stringify": 1 });
  });

  test("notifications: are parsed, and checked no further than that they are modern", async () => {
    const { counts } = await costOf(request({ method: "notifications/nothing" }, true));
    assertEquals(counts, { ...each, header: 8 });
  });

  test("a flow: seals once, opens once, and takes one digest a round", async () => {
    const [first, second] = await rounds(1);
    assertEquals(first, {
      ...handled,
      encrypt: 1,
      hash: 1,
      // Id, key, question and state in the reply; journal; the message in the question's identity; and of what the state
      // is bound to the parties, and the one argument with its name
      "JSON.stringify": 9,
      // The nonce
      random: 1,
      // The handler's is interrupted where it waits
      run: 3,
    });
    assertEquals(second, {
      ...handled,
      decrypt: 1,
      hash: 1,
      // The journal too
      "JSON.parse": 2,
      // Id and content; message, parties, argument and name
      "JSON.stringify": 6,
    });
  });

  test("a long flow: each round takes one digest for each question that it comes to, and seals once", async () => {
    const costs = await rounds(8);
    const of = (what: string) => costs.map((counts) => counts[what] ?? 0);
    // In the last round all eight are answered
    assertEquals(of("hash"), [1, 2, 3, 4, 5, 6, 7, 8, 8]);
    assertEquals(of("encrypt"), [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assertEquals(of("decrypt"), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    assertEquals(of("fiber"), costs.map(() => 2));
  });

  const suspended = { encrypt: 1, random: 1 };

  test("Need.all: parks the handler's one fiber for all needs", async () => {
    const { counts } = await costOf(request(call("pair", {})));
    // Two keys, questions and messages; without arguments nothing of them is written
    assertEquals(counts, { ...handled, ...suspended, hash: 2, "JSON.stringify": 10, run: 3 });
  });

  /** A request that takes longer than a call stack has a fiber for signs of life, with a timer. */
  const waiting = { ...handled, ...suspended, fiber: 3, timer: 1 };

  test("a handler that waits: a microtask, so that it is not interrupted from inside of its own stack (G7)", async () => {
    const { counts } = await costOf(request(call("wait", {})));
    assertEquals(counts, {
      ...waiting,
      hash: 1,
      "JSON.stringify": 7,
      microtask: 1,
      // Three starts; the handler goes on, and is interrupted; then the request goes on, and its signs of life end
      run: 7,
    });
  });

  test("asks in fibers of their own: a turn of the host, to see that nothing moves any more", async () => {
    const { counts } = await costOf(request(call("fork", {})));
    assertEquals(counts, {
      ...waiting,
      fiber: 5,
      hash: 2,
      "JSON.stringify": 10,
      // Five starts; the handler and its two are interrupted; then the request goes on, and its signs of life end
      run: 10,
      turn: 1,
    });
  });
});

test("schemas: are compiled when they are first used, and never again", async () => {
  const { dispose, fetch } = McpServer.toWebHandler(
    McpServer.make({
      name: "guard",
      version: "1",
      tools: [Tool.make("echo", {
        description: "Says it again",
        input: Schema.Struct({ text: Schema.String }),
        output: Schema.Struct({ said: Schema.String }),
        handler: ({ text }) => Effect.succeed({ said: text }),
      })],
    }),
    layer,
    { framed: true },
  );
  const compiled = async () => (await counted(() => fetch(request(call("echo", { text: "x" })))))["compilation"] ?? 0;
  assertEquals([await compiled(), await compiled(), await compiled()], [2, 0, 0]);
  await dispose();
});

test("bodies: become streams only where their length is not to be believed", async () => {
  for (const [framed, streams] of [[true, 0], [false, 1]] as const) {
    const { dispose, fetch } = McpServer.toWebHandler(server, layer, { framed });
    const counts = await counted(() => fetch(request(call("echo", { text: "x" }))));
    assertEquals(counts["stream"] ?? 0, streams);
    await dispose();
  }
});
