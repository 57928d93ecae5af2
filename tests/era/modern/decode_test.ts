import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { decode } from "../../../src/era/modern.ts";
import { anonymous } from "../../../src/model/principal.ts";

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

const good = { [key("protocolVersion")]: "2026-07-28", [key("clientCapabilities")]: {} };

const headersFor = (method: string, more: Record<string, string | undefined> = {}) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...more,
});

const run = (
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string | undefined> | undefined = headersFor(method),
) => decode({ _tag: "Request", id: 7, method, params }, headers && ((name) => headers[name]), anonymous);

const outcome = (...args: Parameters<typeof run>): string => {
  const decoded = run(...args);
  return decoded._tag === "Fault" ? `${decoded.status}/${decoded.code}` : decoded.operation._tag;
};

/** DESIGN.md, section 9, "Order of checks"; B45, B55. */
describe("decode", () => {
  test("decode: gives the neutral request", () => {
    const meta = {
      ...good,
      progressToken: 0,
      [key("logLevel")]: "warning",
      [key("clientInfo")]: { name: "t", version: "1" },
    };
    const decoded = run(
      "tools/call",
      { _meta: meta, name: "echo", arguments: { a: 1 }, requestState: null },
      headersFor("tools/call", { "mcp-name": "echo" }),
    );
    assertEquals(decoded._tag === "Decoded" && { ...decoded, envelope: { ...decoded.envelope, header: undefined } }, {
      _tag: "Decoded",
      envelope: {
        id: 7,
        method: "tools/call",
        era: "modern",
        revision: "2026-07-28",
        client: { name: "t", version: "1" },
        capabilities: {},
        meta,
        progressToken: 0,
        logLevel: "warning",
        header: undefined,
        principal: anonymous,
      },
      operation: {
        _tag: "Call",
        method: "tools/call",
        target: "echo",
        arguments: { a: 1 },
        inputResponses: undefined,
        requestState: null,
      },
      retry: true,
    });
  });

  test("decode: knows the methods of the revision, and no others", () => {
    const served: Record<string, string> = {
      "server/discover": "Discover",
      "tools/list": "List",
      "resources/list": "List",
      "resources/templates/list": "List",
      "prompts/list": "List",
      "completion/complete": "Complete",
      "subscriptions/listen": "Listen",
    };
    for (const [method, tag] of Object.entries(served)) assertEquals(outcome(method, { _meta: good }), tag);
    const removed = ["ping", "initialize", "logging/setLevel", "resources/subscribe", "nope/nope", "constructor"];
    for (const method of removed) assertEquals(outcome(method, { _meta: good }), "404/-32601", method);
  });

  test("decode: names the revisions in its answer to initialize (versioning, last paragraph but one)", () => {
    const decoded = run("initialize", { _meta: good });
    assertEquals(decoded._tag === "Fault" && decoded.data, { supported: ["2026-07-28"] });
  });

  test("decode: finds faults in the order of section 9", () => {
    // Each request has all the faults that are found later, too
    const broken = { [key("protocolVersion")]: "1900-01-01" };
    assertEquals(outcome("nope", { _meta: broken }, headersFor("other")), "400/-32020", "header against _meta");
    assertEquals(
      outcome("nope", { _meta: broken }, headersFor("other", { "mcp-protocol-version": "1900-01-01" })),
      "400/-32022",
      "version",
    );
    const bare = { [key("protocolVersion")]: "2026-07-28" };
    assertEquals(outcome("nope", { _meta: bare }, headersFor("other")), "400/-32020", "Mcp-Method");
    assertEquals(outcome("nope", { _meta: bare }), "400/-32602", "required _meta");
    assertEquals(outcome("nope", { _meta: good }), "404/-32601", "method");
  });

  test("decode: wants the version in the header where the body claims one", () => {
    assertEquals(outcome("tools/list", { _meta: good }, { "mcp-method": "tools/list" }), "400/-32020");
  });

  test("decode: names the version that was asked for, from the body or else from the header", () => {
    const asked = run("tools/list", {}, headersFor("tools/list", { "mcp-protocol-version": "2027-01-01" }));
    assertEquals(asked._tag === "Fault" && [asked.code, asked.status, asked.data], [-32022, 400, {
      supported: ["2026-07-28"],
      requested: "2027-01-01",
    }]);
  });

  test("decode: asks for _meta where the header alone is modern", () => {
    assertEquals(outcome("tools/list", {}), "400/-32602");
  });

  test("decode: compares Mcp-Method as it is, and takes no encoding for it", () => {
    for (const sent of [undefined, "TOOLS/LIST", "tools/list, tools/list", "=?base64?dG9vbHMvbGlzdA==?="]) {
      assertEquals(
        outcome("tools/list", { _meta: good }, headersFor("tools/list", { "mcp-method": sent })),
        "400/-32020",
      );
    }
  });

  test("decode: compares Mcp-Name, decoded, with the name or the URI", () => {
    const read = (uri: unknown, name: string | undefined) =>
      outcome("resources/read", { _meta: good, uri }, headersFor("resources/read", { "mcp-name": name }));
    const uri = "note:///café/日本語";
    assertEquals(read(uri, "=?base64?bm90ZTovLy9jYWbDqS/ml6XmnKzoqp4=?="), "Call");
    assertEquals(read("a:b", "a:b"), "Call");
    for (const name of [undefined, "other", "=?base64?%%?=", "=?BASE64?YTpi?=", "café"]) {
      assertEquals(read("a:b", name), "400/-32020", name ?? "none");
    }
    const literal = "=?base64?abc?=";
    assertEquals(read(literal, "=?base64?PT9iYXNlNjQ/YWJjPz0=?="), "Call");
    assertEquals(read(literal, literal), "400/-32020");
  });

  test("decode: leaves a missing name to the checks of the params, unless a header claims one", () => {
    const call = (name: string | undefined) =>
      outcome("tools/call", { _meta: good }, headersFor("tools/call", { "mcp-name": name }));
    assertEquals(call(undefined), "Call");
    assertEquals(call("echo"), "400/-32020");
  });

  test("decode: ignores Mcp-Name where nothing is named", () => {
    assertEquals(outcome("tools/list", { _meta: good }, headersFor("tools/list", { "mcp-name": "x" })), "List");
  });

  test("decode: refuses malformed fields of _meta", () => {
    const bad: ReadonlyArray<Record<string, unknown>> = [
      { [key("clientCapabilities")]: undefined },
      { [key("clientCapabilities")]: [] },
      { [key("clientCapabilities")]: "x" },
      { [key("clientCapabilities")]: { roots: 1 } },
      { [key("clientCapabilities")]: { elicitation: null } },
      { [key("clientCapabilities")]: { elicitation: { url: true } } },
      { [key("clientCapabilities")]: { sampling: { tools: [] } } },
      { [key("clientInfo")]: "x" },
      { [key("clientInfo")]: { name: "t" } },
      { [key("logLevel")]: "bogus" },
      { [key("logLevel")]: null },
      { progressToken: 1.5 },
      { progressToken: {} },
    ];
    for (const fields of bad) {
      assertEquals(outcome("tools/list", { _meta: { ...good, ...fields } }), "400/-32602", JSON.stringify(fields));
    }
  });

  test("decode: takes capabilities that it does not know, and a client without a name", () => {
    const capabilities = { "vendor.x/y": 1, elicitation: { other: 1 }, extensions: { "a.b/c": {} } };
    assertEquals(outcome("tools/list", { _meta: { ...good, [key("clientCapabilities")]: capabilities } }), "List");
  });

  test("decode: checks no headers where there are none", () => {
    assertEquals(
      decode({ _tag: "Request", id: 1, method: "tools/list", params: { _meta: good } }, undefined, anonymous)._tag,
      "Decoded",
    );
  });
});
