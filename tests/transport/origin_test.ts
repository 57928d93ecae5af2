import { describe, test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { isLoopback, make } from "../../src/transport/origin.ts";

const local = make({ allowedHosts: undefined, allowedOrigins: undefined, loopback: true, port: () => 8000 });
const open = make({
  allowedHosts: ["mcp.example", "other.example:8443"],
  allowedOrigins: ["https://app.example"],
  loopback: false,
  port: undefined,
});
const lets = (guard: typeof local, host: string, origin?: string): boolean => guard.refuse(host, origin) === undefined;

/** 2026-07-28, streamable-http, "Security & Endpoint"; B52. */
describe("guard on loopback", () => {
  test("refuse: lets loopback names in, in any case, with or without a port", () => {
    for (const host of ["localhost:8000", "LOCALHOST", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000", "[::1]"]) {
      assertEquals(lets(local, host), true, host);
    }
  });

  test("refuse: refuses other hosts", () => {
    const hosts = [
      "evil.example:8000",
      "localhost.evil.example",
      "127.0.0.1.nip.io",
      "127.0.0.256.nip.io",
      "[::2]",
      "",
      "localhost:8000:8000",
      "localhost:99999999",
      "evil@localhost",
      "localhost/",
      "0.0.0.0",
    ];
    for (const host of hosts) assertEquals(lets(local, host), false, host);
  });

  test("refuse: says which option would let the request in, for whoever deploys the server", () => {
    assertEquals(local.refuse("mcp.example", undefined), "The host is not served here: allowedHosts has to name it");
    assertEquals(
      local.refuse("localhost:8000", "https://app.example"),
      "The origin is not allowed: allowedOrigins has to name it",
    );
  });

  test("refuse: lets pages of the same port of this machine in", () => {
    for (const origin of ["http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"]) {
      assertEquals(lets(local, "localhost:8000", origin), true, origin);
    }
  });

  test("refuse: refuses all other pages", () => {
    const origins = [
      "http://localhost:8001",
      "http://localhost",
      "https://evil.example",
      "null",
      "",
      "not a url",
      "http://localhost.evil.example:8000",
      "http://127.0.0.1.nip.io:8000",
      "http://evil@localhost:8000",
      "http://localhost:8000/path",
      "file://",
    ];
    for (const origin of origins) assertEquals(lets(local, "localhost:8000", origin), false, origin);
  });

  test("refuse: goes by the port of the host where it does not know its own", () => {
    const guard = make({ allowedHosts: undefined, allowedOrigins: undefined, loopback: true, port: undefined });
    assertEquals(lets(guard, "localhost:5000", "http://127.0.0.1:5000"), true);
    assertEquals(lets(guard, "localhost:5000", "http://127.0.0.1:5001"), false);
    assertEquals(lets(guard, "localhost", "http://localhost"), true);
  });
});

describe("guard by lists", () => {
  test("refuse: goes by the allowed hosts, a port only where one is stated", () => {
    for (const host of ["mcp.example", "MCP.example:1", "other.example:8443"]) {
      assertEquals(lets(open, host), true, host);
    }
    for (const host of ["other.example", "other.example:1", "localhost", "sub.mcp.example", "mcp.example.evil"]) {
      assertEquals(lets(open, host), false, host);
    }
  });

  test("refuse: goes by the allowed origins, exactly", () => {
    assertEquals(lets(open, "mcp.example", "https://app.example"), true);
    for (
      const origin of [
        "http://app.example",
        "https://app.example:444",
        "https://x.app.example",
        "null",
        "http://localhost",
      ]
    ) {
      assertEquals(lets(open, "mcp.example", origin), false, origin);
    }
  });

  test("make: refuses hosts and origins that are none", () => {
    const options = { allowedHosts: undefined, allowedOrigins: undefined, loopback: true, port: undefined };
    for (const origin of ["app.example", "null", "*", "https://app.example/path"]) {
      assertThrows(() => make({ ...options, allowedOrigins: [origin] }), `Cannot allow the origin "${origin}"`);
    }
    for (const host of ["https://mcp.example", "*", "a b"]) {
      assertThrows(() => make({ ...options, allowedHosts: [host] }), `Cannot allow the host "${host}"`);
    }
  });
});

test("isLoopback: takes a name, with IPv6 in brackets or not", () => {
  assertEquals(["localhost", "::1", "[::1]", "127.0.0.1"].map(isLoopback), [true, true, true, true]);
  assertEquals(["0.0.0.0", "example.org", "::"].map(isLoopback), [false, false, false]);
});
