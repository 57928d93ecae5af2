import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { make } from "../../src/transport/cors.ts";
import type { Fields } from "../../src/transport/visit.ts";

const page = "https://app.example";

/** DESIGN.md, section 9, "CORS"; B54. */
describe("cors", () => {
  const cors = make([page]);

  test("preflight: allows the headers of the protocol, and the parameters that are asked for", () => {
    const asked = "content-type, authorization, mcp-protocol-version, mcp-method, mcp-name, Mcp-Param-Region, " +
      "mcp-session-id, last-event-id, x-other, mcp-param-, mcp-param-a b";
    const { headers, status } = cors.preflight(page, asked, "POST, OPTIONS");
    assertEquals(status, 204);
    assertEquals(headers["access-control-allow-origin"], page);
    assertEquals(headers["access-control-allow-methods"], "POST, OPTIONS");
    const allowed = headers["access-control-allow-headers"]!.split(", ");
    for (
      const name of [
        "content-type",
        "authorization",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-param-region",
        "mcp-session-id",
        "last-event-id",
      ]
    ) assertEquals(allowed.includes(name), true, name);
    for (const name of ["x-other", "*", "mcp-param-", "mcp-param-a b"]) {
      assertEquals(allowed.includes(name), false, name);
    }
  });

  test("headers: expose what a page has to read, on every kind of reply", () => {
    for (const headers of Object.values(cors.headers(page)) as ReadonlyArray<Fields>) {
      assertEquals(headers["access-control-allow-origin"], page);
      assertEquals(headers["access-control-expose-headers"], "Mcp-Session-Id, WWW-Authenticate");
      assertEquals(headers["access-control-allow-credentials"], undefined);
      assertEquals(headers["vary"], "Origin");
    }
  });

  test("headers: give other origins none, and vary by origin", () => {
    for (const origin of [undefined, "https://evil.example", "null"]) {
      const { json } = cors.headers(origin);
      assertEquals([json["access-control-allow-origin"], json["vary"]], [undefined, "Origin"]);
      assertEquals(cors.preflight(origin, "content-type", "POST").headers["access-control-allow-headers"], undefined);
    }
    assertEquals(make([]).headers(page).json["vary"], undefined);
  });
});
