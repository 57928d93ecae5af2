import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { detect, modernOnly, versionKey } from "../../src/era/detect.ts";

const era = (method: string, claim: unknown, named?: string) =>
  detect(
    { _tag: "Request", id: 1, method, params: claim === undefined ? {} : { _meta: { [versionKey]: claim } } },
    named,
  );

/** DESIGN.md, section 9, "Which era". */
describe("detect", () => {
  test("detect: takes a claim in the body for modern, whatever method and header", () => {
    for (const method of ["tools/call", "initialize", "ping"]) {
      for (const named of [undefined, "2025-11-25", "2026-07-28"]) {
        assertEquals(era(method, "2026-07-28", named), "modern");
        assertEquals(era(method, "1900-01-01", named), "modern");
        assertEquals(era(method, 1, named), "modern");
      }
    }
  });

  test("detect: takes initialize without a claim for legacy, whatever the header", () => {
    for (const named of [undefined, "2025-11-25", "2026-07-28"]) {
      assertEquals(era("initialize", undefined, named), "legacy");
    }
  });

  test("detect: goes by the header where nothing is claimed", () => {
    for (const named of [undefined, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
      assertEquals(era("tools/list", undefined, named), "legacy");
    }
    for (const named of ["2026-07-28", "2027-01-01", "1900-01-01", ""]) {
      assertEquals(era("tools/list", undefined, named), "modern");
    }
  });
});

test("modernOnly: names the revision in message and data", () => {
  assertEquals([modernOnly.code, modernOnly.status], [-32020, 400]);
  assertStringIncludes(modernOnly.message, "2026-07-28");
  assertEquals(modernOnly.data, { supported: ["2026-07-28"] });
});
