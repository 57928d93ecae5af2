/** What a fresh process of Node loads before it serves. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { execute, workshop } from "./workshop.ts";

const program = `
  await import("@needful/mcp/node");
  const loaded = process.moduleLoadList.filter((name) => /^NativeModule (http|internal[/]deps[/]undici[/]undici)$/.test(name));
  console.log(loaded.join());
`;

// Undici costs a tenth of the start, and this server has no use for it: it reads and writes by `node:http` itself
test("./node: does not make Node load its HTTP client", async () => {
  const { node22, project } = await workshop();
  const made = await project();
  const { code, output } = await execute(node22, ["--input-type=module", "--eval", program], { cwd: made.path });
  await made.remove();
  assertEquals([code, output.trim()], [0, "NativeModule http"]);
});
