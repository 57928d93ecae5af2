/** Case B30: nothing is compiled at run time, neither when a server starts nor when an answer arrives. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { run, script } from "../process.ts";

test("B30: a flow runs where code generation from strings is forbidden and Function throws", async () => {
  const { code, output } = await run(script("tests/cases/b_codegen.ts", ["--disallow-code-generation-from-strings"]));
  const expected = [
    ...[{ n: 1 }, true, true],
    ...["input_required", "input_required", "input_required", { mail: "a@b.example", size: "l" }],
    ...["complete", "complete", "complete"],
  ];
  assertEquals([code, output.trim()], [0, JSON.stringify(expected)]);
});
