import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { make } from "../../src/transport/cors.ts";

const page = "https://app.example";

/** DESIGN.md, section 9, "CORS"; B54. */
describe("cors", () => {
  const cors = make([page]);

  test("preflight: allows the headers of the protocol, and the parameters that are asked for", () => {
    const asked = "content-type, authorization, mcp-protocol-version, mcp-method, mcp-name, Mcp-Param-Region, " +
      "mcp-session-id, last-event-id, x-other, mcp-param-, mcp-param-a b";
    const { headers, status } = cors.preflight(page, asked, "POST, OPTIONS");
    assertEquals(status, 204);
    assertEquals(headers.get("access-control-allow-origin"), page);
    assertEquals(headers.get("access-control-allow-methods"), "POST, OPTIONS");
    const allowed = headers.get("access-control-allow-headers")!.split(", ");
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
    for (const headers of Object.values(cors.headers(page)) as ReadonlyArray<Headers>) {
      assertEquals(headers.get("access-control-allow-origin"), page);
      assertEquals(headers.get("access-control-expose-headers"), "Mcp-Session-Id, WWW-Authenticate");
      assertEquals(headers.get("access-control-allow-credentials"), null);
      assertEquals(headers.get("vary"), "Origin");
    }
  });

  test("headers: give other origins none, and vary by origin", () => {
    for (const origin of [null, "https://evil.example", "null"]) {
      const { json } = cors.headers(origin);
      assertEquals([json.get("access-control-allow-origin"), json.get("vary")], [null, "Origin"]);
      assertEquals(cors.preflight(origin, "content-type", "POST").headers.get("access-control-allow-headers"), null);
    }
    assertEquals(make([]).headers(page).json.get("vary"), null);
  });
});
