/** `Need.choose`: the shapes of a choice and what may be chosen (DESIGN section 3; case B27). */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Need from "../../src/need/mod.ts";
import { specOf } from "../../src/need/need.ts";
import { accept, answer, failure, malformed, message, reason } from "./help.ts";

/** The one field of a choice, which is always required. */
const field = (need: Need.Need<unknown, unknown, unknown>): unknown => {
  const { requestedSchema } = need.request.params as { requestedSchema: Need.FormSchema };
  assertEquals(requestedSchema.type, "object");
  assertEquals(requestedSchema.required, ["choice"]);
  assertEquals(Object.keys(requestedSchema.properties), ["choice"]);
  return requestedSchema.properties["choice"];
};

const titled = [{ value: "r", title: "Red" }, "g"] as const;

describe("choose: on the wire", () => {
  test("B27: writes each shape exactly", () => {
    assertEquals(field(Need.choose("c", { message, options: ["a", "b"] })), { type: "string", enum: ["a", "b"] });
    assertEquals(field(Need.choose("c", { message, options: titled })), {
      type: "string",
      oneOf: [{ const: "r", title: "Red" }, { const: "g", title: "g" }],
    });
    assertEquals(field(Need.choose("c", { message, options: ["a", "b"], multiple: true })), {
      type: "array",
      items: { type: "string", enum: ["a", "b"] },
    });
    assertEquals(field(Need.choose("c", { message, options: titled, multiple: true })), {
      type: "array",
      items: { anyOf: [{ const: "r", title: "Red" }, { const: "g", title: "g" }] },
    });
  });

  test("writes texts, default and numbers of options", () => {
    const more = { title: "T", description: "D" };
    assertEquals(field(Need.choose("c", { message, options: ["a", "b"], default: "b", ...more })), {
      type: "string",
      enum: ["a", "b"],
      title: "T",
      description: "D",
      default: "b",
    });
    assertEquals(
      field(Need.choose("c", { message, options: ["a", "b"], multiple: true, default: [], min: 0, max: 2 })),
      {
        type: "array",
        items: { type: "string", enum: ["a", "b"] },
        minItems: 0,
        maxItems: 2,
        default: [],
      },
    );
  });

  test("B27: takes options computed at run time, whatever they look like", () => {
    const options = ["😀", `"quoted"`, "", "__proto__", "a,b", "日本語"];
    const need = Need.choose("c", { message, options });
    assertEquals(field(need), { type: "string", enum: options });
    for (const choice of options) assertEquals(answer(specOf(need).read(accept({ choice }))), choice);
  });

  const options = ["a", "b"];
  const refused: ReadonlyArray<readonly [string, object, string]> = [
    ["no options", { options: [] }, `"choice" has no options`],
    ["an option twice", { options: ["a", "a"] }, `"choice" has the same option twice`],
    ["an option twice, once with a title", { options: ["a", { value: "a", title: "A" }] }, "has the same option twice"],
    ["an option that is no text", { options: ["a", 1] }, `"choice" has an option that is not a text`],
    ["a default that is no option", { options, default: "c" }, "has a default"],
    ["a list as the default of one", { options, default: ["a"] }, "has a default"],
    ["one as the default of several", { options, multiple: true, default: "a" }, "has a default"],
    ["a default with too few", { options, multiple: true, min: 1, default: [] }, "has a default"],
    ["a default with too many", { options, multiple: true, max: 1, default: ["a", "b"] }, "has a default"],
    ["a default that comes twice", { options, multiple: true, default: ["a", "a"] }, "has a default"],
    ["min above max", { options, multiple: true, min: 2, max: 1 }, "is more than maxItems"],
    ["min above the number of options", { options, multiple: true, min: 3 }, "more than there are options"],
    ["a min that is no count", { options, multiple: true, min: 0.5 }, "is not a count"],
    ["min for one", { options, min: 1 }, "min or max without multiple"],
    ["max for one", { options, multiple: false, max: 1 }, "min or max without multiple"],
  ];
  for (const [what, bad, why] of refused) {
    test(`refuses ${what}`, () => {
      const { message: text } = assertThrows(() => Need.choose("color", { message, ...bad } as never));
      assertStringIncludes(text, `Cannot build choice "color": field "choice" `);
      assertStringIncludes(text, why);
    });
  }
});

describe("choose: answers", () => {
  const one = specOf(Need.choose("c", { message, options: titled })).read;
  const many = specOf(Need.choose("c", { message, options: ["a", "b", "c"], multiple: true, min: 1, max: 2 })).read;

  test("gives the value, or the list of values", () => {
    assertEquals(answer(one(accept({ choice: "r", extra: 1 }))), "r");
    assertEquals(answer(many(accept({ choice: ["b", "a"] }))), ["b", "a"]);
  });

  test("B27: asks again for what is no option, too few and too many", () => {
    for (const choice of ["Red", "x", "", 1, null, ["r"]]) {
      assertStringIncludes(reason(one(accept({ choice }))), `"choice" must be one of the options`);
    }
    assertStringIncludes(reason(one(accept())), `"choice" is missing`);
    assertStringIncludes(reason(many(accept({ choice: [] }))), "at least 1 option");
    assertStringIncludes(reason(many(accept({ choice: ["a", "b", "c"] }))), "at most 2 options");
    assertStringIncludes(reason(many(accept({ choice: ["x"] }))), "nothing but the options");
    assertStringIncludes(reason(many(accept({ choice: "a" }))), "a list of options");
    assertStringIncludes(reason(many(accept({ choice: ["a", "a"] }))), "the same option twice");
  });

  test("tells decline, cancel and malformed apart", () => {
    assertEquals(failure(one({ action: "decline" }))._tag, "Declined");
    assertEquals(failure(many({ action: "cancel" }))._tag, "Cancelled");
    for (const raw of malformed) assertEquals(one(raw)._tag, "Invalid");
  });
});
