/**
 * The benchmark on Bun or Node: `deno run -A bench/elsewhere.ts node` and the options of `main.ts`. Both are installed outside
 * of the clone, and get this package as npm does. The peers are those of `deno.lock`.
 */
import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { compile, locked, makeWith, needed, root } from "../tests/runtimes/workshop.ts";

const shared = ["effect", "@cfworker/json-schema", "@modelcontextprotocol/server", "zod"];

const [runtime, ...options] = Deno.args;
if (runtime !== "bun" && runtime !== "node") throw new Error(`Neither bun nor node: ${runtime}`);

const { bun, node22, project } = await makeWith({
  ...needed,
  ...Object.fromEntries(shared.map((name) => [name, locked(name)])),
  "@effect/platform-node": locked("effect"),
  "@modelcontextprotocol/node": "2.1.2",
});
const made = await project();
try {
  const files = await readdir(join(root, "bench"), { recursive: true });
  await compile(made, ...files.filter((file) => file.endsWith(".ts")).map((file) => `bench/${file}`));
  // For what is not public: the cryptography that the layers of the runtimes provide
  await symlink(join(made.path, "node_modules/@needful/mcp/src"), join(made.path, "src"));
  const program = join(made.path, "bench/main.js");
  const { code } = await new Deno.Command(runtime === "bun" ? bun : node22, { args: [program, ...options] }).spawn()
    .status;
  Deno.exitCode = code;
} finally {
  await made.remove();
}
