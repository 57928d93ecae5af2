/** `Need.confirm`: what counts as a yes (DESIGN section 3; cases B05, B22). */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";
import { specOf } from "../../src/need/need.ts";
import { accept, answer, malformed, message, reason } from "./help.ts";

describe("confirm", () => {
  const need = Need.confirm("sure", "Really?");
  const { read, volunteer } = specOf(need);

  test("asks for one required boolean named ok", () => {
    assertEquals(need.request, {
      method: "elicitation/create",
      params: {
        message: "Really?",
        requestedSchema: {
          type: "object",
          properties: { ok: { type: "boolean", title: "Yes" } },
          required: ["ok"],
        },
      },
    });
  });

  test("B22: is true only for accept with ok: true", () => {
    assertEquals(answer(read(accept({ ok: true }))), true);
    assertEquals(answer(read(accept({ ok: false }))), false);
    assertEquals(answer(read({ action: "decline" })), false);
    assertEquals(answer(read({ action: "cancel" })), false);
    assertEquals(answer(read({ action: "decline", content: { ok: true } })), false);
  });

  test("asks again after an accept without a boolean", () => {
    for (const content of [undefined, {}, { ok: 1 }, { ok: "true" }, { ok: null }, { yes: true }, null, [true]]) {
      assertStringIncludes(reason(read(accept(content))), `"ok" must be true or false`);
    }
    assertEquals(read(accept(Object.create({ ok: true })))._tag, "Invalid");
    for (const raw of malformed) assertEquals(read(raw)._tag, "Invalid");
  });

  test("takes no volunteered answer; elicit and choose do, unless they must ask", () => {
    assertEquals(volunteer, false);
    const schema = Schema.Struct({});
    assertEquals(specOf(Need.elicit("a", { message, schema })).volunteer, true);
    assertEquals(specOf(Need.elicit("a", { message, schema, mustAsk: true })).volunteer, false);
    assertEquals(specOf(Need.choose("a", { message, options: ["a"] })).volunteer, true);
    assertEquals(specOf(Need.choose("a", { message, options: ["a"], mustAsk: true })).volunteer, false);
  });
});
