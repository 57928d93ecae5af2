import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { read } from "../../src/transport/accept.ts";

/** RFC 9110, section 12.5.1; B48. */
describe("read", () => {
  const cases: ReadonlyArray<readonly [header: string | undefined, json: boolean, stream: boolean]> = [
    ["application/json, text/event-stream", true, true],
    [undefined, true, true],
    ["", true, true],
    ["*/*", true, true],
    ["application/*, text/*", true, true],
    ["application/json", true, false],
    ["text/event-stream", false, true],
    ["application/json;q=0, text/event-stream", false, true],
    ["application/json;q=0.0, */*", false, true],
    ["*/*, text/event-stream;q=0", true, false],
    ["text/*;q=0, */*", true, false],
    ["APPLICATION/JSON, Text/Event-Stream", true, true],
    ["application/json; charset=utf-8, text/event-stream;q=0.5", true, true],
    ["application/json ; q = 0 , text/event-stream", false, true],
    ["text/plain", false, false],
    ["application/jsonx, text/event-streams", false, false],
    ["*/*;q=0", false, false],
  ];
  for (const [header, json, stream] of cases) {
    test(`read: takes ${header ?? "no header"} for ${json ? "" : "no "}JSON and ${stream ? "" : "no "}streams`, () => {
      assertEquals(read(header), { json, stream });
    });
  }
});
