import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { checkParameters, decode } from "../../src/era/header_value.ts";

/** 2026-07-28, streamable-http, "Value Encoding"; B45. */
describe("decode", () => {
  test("decode: gives the values of the specification's examples", () => {
    assertEquals(decode("us-west1"), "us-west1");
    assertEquals(decode("=?base64?SGVsbG8sIOS4lueVjA==?="), "Hello, 世界");
    assertEquals(decode("=?base64?IHBhZGRlZCA=?="), " padded ");
    assertEquals(decode("=?base64?bGluZTEKbGluZTI=?="), "line1\nline2");
    assertEquals(decode("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="), "=?base64?literal?=");
  });

  test("decode: takes a sentinel in other case, or without its end, literally", () => {
    for (const literal of ["=?BASE64?YWJj?=", "=?base64?YWJj", "=?Base64?YWJj?=", "=?base64?="]) {
      assertEquals(decode(literal), literal);
    }
    assertEquals(decode("=?base64??="), "");
  });

  test("decode: refuses encodings that are not canonical base64 of UTF-8", () => {
    const bad = ["YWI", "YWI=a", "YW I=", "YWJj=", "YWK-", "YWJ_", "YWJ=", "/w==", "7aCA", "A", "===="];
    for (const encoded of bad) assertEquals(decode(`=?base64?${encoded}?=`), undefined, encoded);
  });

  test("decode: refuses characters that a header may not have", () => {
    for (const raw of ["café", "\u00c3\u00a9", "a\u0000b", "a\u007fb"]) assertEquals(decode(raw), undefined);
  });

  test("decode: keeps a byte-order mark that was encoded", () => {
    assertEquals(decode("=?base64?77u/YQ==?="), "\ufeffa");
  });
});

/** 2026-07-28, streamable-http, "Server Behavior for Custom Headers" and the note on integers. */
describe("checkParameters", () => {
  const parameters = [{ path: ["region"], name: "Region" }, { path: ["page", "size"], name: "Size" }];
  const check = (args: Record<string, unknown>, headers: Record<string, string>) =>
    checkParameters(parameters, args, (name) => headers[name])?.code ?? "ok";

  test("checkParameters: passes what agrees", () => {
    assertEquals(check({}, {}), "ok");
    assertEquals(
      check({ region: "eu", page: { size: 42 } }, { "mcp-param-region": "eu", "mcp-param-size": "42" }),
      "ok",
    );
    assertEquals(check({ region: "é" }, { "mcp-param-region": "=?base64?w6k=?=" }), "ok");
    assertEquals(check({ region: true }, { "mcp-param-region": "true" }), "ok");
    assertEquals(check({ region: "" }, { "mcp-param-region": "" }), "ok");
  });

  test("checkParameters: compares integers as numbers, and refuses unsafe ones", () => {
    assertEquals(check({ page: { size: 42 } }, { "mcp-param-size": "42.0" }), "ok");
    assertEquals(check({ page: { size: -7 } }, { "mcp-param-size": "-7" }), "ok");
    assertEquals(check({ page: { size: 42 } }, { "mcp-param-size": "43" }), -32020);
    assertEquals(check({ page: { size: 42 } }, { "mcp-param-size": "0x2a" }), -32020);
    assertEquals(check({ page: { size: 2 ** 53 } }, { "mcp-param-size": "9007199254740992" }), -32020);
  });

  test("checkParameters: refuses a header without an argument, and an argument without a header", () => {
    assertEquals(check({}, { "mcp-param-region": "eu" }), -32020);
    assertEquals(check({ region: null }, { "mcp-param-region": "eu" }), -32020);
    assertEquals(check({ region: null }, {}), "ok");
    assertEquals(check({ region: "eu" }, {}), -32020);
    assertEquals(check({ page: 1 }, { "mcp-param-size": "1" }), -32020);
  });

  test("checkParameters: refuses values that differ or are badly encoded", () => {
    assertEquals(check({ region: "eu" }, { "mcp-param-region": "us" }), -32020);
    assertEquals(check({ region: "eu" }, { "mcp-param-region": "EU" }), -32020);
    assertEquals(check({ region: "é" }, { "mcp-param-region": "é" }), -32020);
    assertEquals(check({ region: "eu" }, { "mcp-param-region": "=?base64?ZXU?=" }), -32020);
  });

  test("checkParameters: reads own members only", () => {
    assertEquals(checkParameters([{ path: ["constructor"], name: "C" }], {}, () => undefined), undefined);
  });
});
