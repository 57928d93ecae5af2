/** DESIGN.md, section 9, "Order of checks" and the decisions on the envelope, on the wire. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { Auth } from "@needful/mcp";
import {
  type Changes,
  fixture,
  forms,
  messages,
  meta,
  outcome,
  post,
  rpc,
  send,
  type Wire,
  withHandler,
} from "./fixture.ts";

const { events, server } = fixture();

const authenticate: Auth.Authenticate = ({ header }) =>
  header("authorization") === "good"
    ? Effect.succeed(Auth.principal("ada"))
    : Effect.fail(new Auth.Unauthorized({ challenge: 'Bearer realm="x"' }));

describe("order of checks", () => {
  /** From the last check to the first: each step adds the fault that has to be found before all others. */
  test("order: the earliest of several faults is the one that is reported", () =>
    withHandler(server, async (fetch) => {
      let message: Wire = rpc("tools/call", { name: "ask", arguments: { text: 1 } });
      let headers: Changes = { authorization: "good", host: "localhost" };
      let body: string | undefined;
      let method = "POST", path = "/mcp";
      const check = async (expected: string, what: string) => {
        const request = new Request(`http://localhost${path}`, {
          method,
          headers: post(null, message, headers).headers,
          body: method === "POST" ? body ?? JSON.stringify(message) : null,
        });
        const response = await fetch(request);
        const text = await response.text();
        const code = text.startsWith("{") ? JSON.parse(text).error?.code ?? JSON.parse(text).result.resultType : "";
        assertEquals(`${response.status}/${code}`, expected, what);
      };
      const params = (more: Record<string, unknown>) =>
        message = { ...message, params: { ...message.params, ...more } };

      // `ask` without forms; then a tool with arguments that are not valid
      await check("400/-32021", "capability");
      params({ name: "echo" });
      await check("200/complete", "arguments of a tool, as a result");
      params({ name: "region", requestState: "bad", arguments: { region: 1, count: "x" } });
      headers = { ...headers, "mcp-param-region": "1", "mcp-param-count": "y" };
      await check("400/-32020", "mirrored parameter");
      headers = { ...headers, "mcp-param-region": null, "mcp-param-count": null };
      params({ arguments: {} });
      await check("200/-32602", "state");
      headers = { ...headers, "mcp-param-region": "eu" };
      await check("400/-32020", "mirrored parameter before state");
      params({ inputResponses: [] });
      await check("200/-32602", "answers");
      params({ name: "nope" });
      await check("200/-32602", "unknown tool");
      message = { ...message, method: "tools/nope" };
      await check("404/-32601", "method");
      params({ _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
      await check("400/-32602", "required _meta");
      headers = { ...headers, "mcp-method": "other" };
      await check("400/-32020", "Mcp-Method");
      params({ _meta: { "io.modelcontextprotocol/protocolVersion": "1900-01-01" } });
      headers = { ...headers, "mcp-protocol-version": "1900-01-01" };
      await check("400/-32022", "version");
      headers = { ...headers, "mcp-protocol-version": "2026-07-28" };
      await check("400/-32020", "version header");
      message = { ...message, jsonrpc: "1.0" };
      await check("400/-32600", "envelope");
      body = "{bad";
      await check("400/-32700", "JSON");
      body = `"${"x".repeat(2_000)}`;
      await check("413/-32600", "size");
      headers = { ...headers, accept: "text/plain" };
      await check("406/-32600", "Accept");
      headers = { ...headers, "content-type": "text/plain" };
      await check("415/-32600", "Content-Type");
      headers = { ...headers, authorization: "bad" };
      await check("401/-32600", "auth");
      method = "OPTIONS";
      await check("204/", "preflight");
      headers = { ...headers, origin: "https://evil.example" };
      await check("403/-32600", "origin");
      method = "PUT";
      await check("405/-32600", "method of HTTP");
      path = "/other";
      await check("404/", "path");
    }, { authenticate, maxBody: 1_000 }));

  test("order: no handler ran before its request was found good", () => {
    assertEquals(events.filter((event) => event !== "ask"), []);
  });

  test("auth: a refused caller gets the challenge, and one that is let in its reply", () =>
    withHandler(server, async (fetch) => {
      const refused = await fetch(send(rpc("tools/list")));
      assertEquals([refused.status, refused.headers.get("www-authenticate")], [401, 'Bearer realm="x"']);
      const [{ error, id }] = await messages(refused);
      assertEquals([error.message, id], ["Unauthorized", undefined]);
      assertEquals(await outcome(await fetch(send(rpc("tools/list"), { authorization: "good" }))), "200/complete");
    }, { authenticate }));

  test("auth: the hook runs once for a request, and not for what its method, Host or Origin refuses (section 9)", async () => {
    let runs = 0;
    const counting: Auth.Authenticate = (request) => {
      runs++;
      return authenticate(request);
    };
    const ran = async (method: string, headers: Record<string, string> = {}): Promise<readonly [number, number]> => {
      runs = 0;
      let status = 0;
      await withHandler(server, async (fetch) => {
        const response = await fetch(new Request("http://localhost/mcp", { method, headers }));
        await response.body?.cancel();
        status = response.status;
      }, { authenticate: counting });
      return [status, runs];
    };
    for (const method of ["POST", "GET", "DELETE"]) assertEquals(await ran(method), [401, 1], method);
    for (const method of ["HEAD", "PUT", "PATCH"]) assertEquals(await ran(method), [405, 0], method);
    assertEquals(await ran("GET", { "mcp-protocol-version": "2026-07-28" }), [405, 0]);
    assertEquals(await ran("OPTIONS"), [204, 0]);
    for (const refused of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
      assertEquals(await ran("POST", refused), [403, 0]);
    }
  });

  test("auth: a hook that breaks is 500, for nothing was accepted, and tells nothing (streamable HTTP, Sending Messages)", async () => {
    const hooks: ReadonlyArray<Auth.Authenticate> = [
      () => Effect.die(new Error("SECRET")),
      () => {
        throw new Error("SECRET");
      },
      () => Effect.interrupt,
      () => Effect.andThen(Effect.yieldNow, Effect.interrupt),
    ];
    const session = { accept: "text/event-stream", "mcp-session-id": "x" };
    for (const authenticate of hooks) {
      await withHandler(server, async (fetch) => {
        const requests = [
          send(rpc("tools/list")),
          send({ jsonrpc: "2.0", method: "notifications/x" }),
          new Request("http://localhost/mcp", { headers: session }),
          new Request("http://localhost/mcp", { method: "DELETE", headers: session }),
        ];
        for (const request of requests) {
          const response = await fetch(request);
          assertEquals(response.status, 500, request.method);
          const error = { code: -32603, message: "Internal error" };
          assertEquals(await messages(response), [{ jsonrpc: "2.0", error }], request.method);
        }
      }, { authenticate });
    }
  });
});

describe("shape of params", () => {
  const check =
    (method: string, params: Record<string, unknown>, changes: Changes = {}) =>
    async (fetch: (request: Request) => Promise<Response>) => outcome(await fetch(send(rpc(method, params), changes)));

  test("shape: whatever is wrong with the params of a method is -32602 with status 200", () =>
    withHandler(server, async (fetch) => {
      const bad: ReadonlyArray<readonly [method: string, params: Record<string, unknown>]> = [
        ["tools/call", {}],
        ["tools/call", { name: 1 }],
        ["tools/call", { name: "echo", arguments: [] }],
        ["tools/call", { name: "echo", arguments: null }],
        ["tools/call", { name: "toString" }],
        ["prompts/get", { name: "nope" }],
        ["prompts/get", { name: "greet" }],
        ["prompts/get", { name: "greet", arguments: { name: 1 } }],
        ["resources/read", {}],
        ["resources/read", { uri: "a:b" }],
        ["tools/list", { cursor: "nope" }],
        ["tools/list", { cursor: 1 }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "nope" }, argument: { name: "name", value: "" } }],
        ["completion/complete", { ref: { type: "ref/tool", name: "greet" }, argument: { name: "name", value: "" } }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name" } }],
        ["completion/complete", {
          ref: { type: "ref/prompt", name: "greet" },
          argument: { name: "name", value: "" },
          context: { arguments: { a: 1 } },
        }],
        ["subscriptions/listen", {}],
      ];
      for (const [method, params] of bad) {
        assertEquals(await check(method, params)(fetch), "200/-32602", `${method} ${JSON.stringify(params)}`);
      }
    }));

  test("shape: a resource that is not there is named", () =>
    withHandler(server, async (fetch) => {
      const [{ error }] = await messages(await fetch(send(rpc("resources/read", { uri: "a:b" }))));
      assertEquals(error, { code: -32602, message: "Resource not found", data: { uri: "a:b" } });
    }));

  test("shape: answers have to be an object, a state a string that was sealed here (B08)", () =>
    withHandler(server, async (fetch) => {
      const before = events.length;
      for (const inputResponses of [null, [], "x", 1]) {
        assertEquals(await check("tools/call", { name: "ask", inputResponses })(fetch), "200/-32602");
      }
      const bodies = new Set<string>();
      for (const requestState of [1, null, true, [], {}, "", "x", "x".repeat(70_000)]) {
        const params = {
          name: "ask",
          requestState,
          inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
        };
        const response = await fetch(send(rpc("tools/call", { ...params, _meta: meta(forms) })));
        bodies.add(`${response.status} ${await response.text()}`);
      }
      assertEquals([...bodies], [
        '200 {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid request state"}}',
      ]);
      assertEquals(events.length, before);
    }));

  test("requires: refuses before the handler runs, and names all that is missing", () =>
    withHandler(server, async (fetch) => {
      const response = await fetch(send(rpc("tools/call", { name: "gated" })));
      const [{ error }] = await messages(response);
      assertEquals([response.status, error.code, error.data], [400, -32021, {
        requiredCapabilities: { sampling: {}, roots: {} },
      }]);
      assertEquals(events.includes("gated"), false);
      const declared = rpc("tools/call", { name: "gated", _meta: meta({ sampling: {}, roots: {} }) });
      assertEquals(await outcome(await fetch(send(declared))), "200/complete");
    }));
});

describe("mirrored headers (B45)", () => {
  test("headers: encoded names are compared decoded", () =>
    withHandler(server, async (fetch) => {
      const read = rpc("resources/read", { uri: "note:///café/日本語" });
      const encoded = "=?base64?bm90ZTovLy9jYWbDqS/ml6XmnKzoqp4=?=";
      assertEquals(await outcome(await fetch(send(read, { "mcp-name": encoded }))), "200/complete");
      for (
        const name of [
          null,
          encoded.replace("base64", "BASE64"),
          "=?base64?bm90=ZT?=",
          "=?base64?/w==?=",
          "note:///caf\u00e9/",
        ]
      ) {
        assertEquals(await outcome(await fetch(send(read, { "mcp-name": name }))), "400/-32020", name ?? "none");
      }
    }));

  test("headers: a method in another case, twice, or missing is refused; extra names are not", () =>
    withHandler(server, async (fetch) => {
      const list = rpc("tools/list");
      for (const method of [null, "TOOLS/LIST", "tools/list, tools/list"]) {
        assertEquals(await outcome(await fetch(send(list, { "mcp-method": method }))), "400/-32020");
      }
      assertEquals(await outcome(await fetch(send(list, { "mcp-name": "x" }))), "200/complete");
    }));

  test("headers: mirrored parameters have to agree with the arguments", () =>
    withHandler(server, async (fetch) => {
      const region = (args: Record<string, unknown>, changes: Changes) =>
        check(fetch, rpc("tools/call", { name: "region", arguments: args }), changes);
      assertEquals(
        await region({ region: "eu", count: 42 }, { "mcp-param-region": "eu", "mcp-param-count": "42.0" }),
        "200/complete",
      );
      assertEquals(await region({ region: null }, {}), "200/complete");
      assertEquals(await region({ region: null }, { "mcp-param-region": "eu" }), "400/-32020");
      assertEquals(await region({}, { "mcp-param-region": "eu" }), "400/-32020");
      assertEquals(await region({ region: "eu" }, {}), "400/-32020");
      assertEquals(await region({ count: 2 ** 53 }, { "mcp-param-count": "9007199254740992" }), "400/-32020");
    }));

  const check = async (fetch: (request: Request) => Promise<Response>, message: Wire, changes: Changes) =>
    outcome(await fetch(send(message, changes)));
});

describe("parse errors and invalid requests (B50)", () => {
  test("parse: bytes that are no JSON are -32700, JSON that is no message -32600", () =>
    withHandler(server, async (fetch) => {
      const cases: ReadonlyArray<readonly [body: BodyInit | null, expected: string]> = [
        ["{bad", "400/-32700"],
        ["", "400/-32700"],
        [null, "400/-32700"],
        [new Uint8Array([0x7b, 0x22, 0x97, 0x22, 0x7d]), "400/-32700"],
        ['"x"', "400/-32600"],
        ["1", "400/-32600"],
        ["null", "400/-32600"],
        ["{}", "400/-32600"],
        ['{"jsonrpc":"2.0","id":1}', "400/-32600"],
        ['{"jsonrpc":"2.0","id":1,"method":1}', "400/-32600"],
        ['{"jsonrpc":"1.0","id":1,"method":"ping"}', "400/-32600"],
        ['{"id":1,"method":"ping"}', "400/-32600"],
        ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', "400/-32600"],
        ['{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', "400/-32600"],
        ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', "400/-32600"],
        ['{"jsonrpc":"2.0","id":null,"method":"ping"}', "400/-32600"],
        ["[".repeat(100_000) + "]".repeat(100_000), "400/-32600"],
      ];
      for (const [body, expected] of cases) {
        assertEquals(await outcome(await fetch(post(body))), expected, String(body).slice(0, 40));
      }
    }));

  test("parse: the id is repeated where it can be read, and absent where it cannot", () =>
    withHandler(server, async (fetch) => {
      const idOf = async (body: string) =>
        Object.entries((await messages(await fetch(post(body))))[0]).find(([name]) => name === "id");
      assertEquals(await idOf('{"jsonrpc":"2.0","id":"a","method":1}'), ["id", "a"]);
      assertEquals(await idOf('{"jsonrpc":"2.0","id":0,"method":"x","params":1}'), ["id", 0]);
      assertEquals(await idOf('{"jsonrpc":"2.0","id":null,"method":"x"}'), undefined);
      assertEquals(await idOf("{bad"), undefined);
    }));

  test("parse: marks, surrogates and repeated keys do no harm", () =>
    withHandler(server, async (fetch) => {
      const message = rpc("tools/call", { name: "echo", arguments: { text: "?" } });
      const text = (value: string) => JSON.stringify(message).replace('"?"', value);
      const echo = async (body: string) => (await messages(await fetch(post(body, message))))[0].result.content[0].text;
      assertEquals(await echo(`\ufeff${text('"\\ufeffa"')}`), "\ufeffa");
      assertEquals(await echo(text('"\\ud800"')), "\ud800");
      assertEquals(await echo(text('"a","text":"b"')), "b");
      assertEquals(await echo(text('"\\u2028\\u0000\\r\\n"')), "\u2028\u0000\r\n");
    }));
});
