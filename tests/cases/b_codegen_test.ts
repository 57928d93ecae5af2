/** Case B30: nothing is compiled at run time, neither when a server starts nor when an answer arrives. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { run } from "../process.ts";

test("B30: a flow runs where code generation from strings is forbidden and Function throws", async () => {
  const { code, output } = await run([
    "run",
    "-A",
    "--no-check",
    "--v8-flags=--disallow-code-generation-from-strings",
    "tests/cases/b_codegen.ts",
  ]);
  const expected = [
    ...[{ n: 1 }, true, true],
    ...["input_required", "input_required", "input_required", { mail: "a@b.example", size: "l" }],
    ...["complete", "complete", "complete"],
  ];
  assertEquals([code, output.trim()], [0, JSON.stringify(expected)]);
});
