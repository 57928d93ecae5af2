/** The examples on every runtime. */
import { compile, copy, kept, root, workshop } from "../workshop.ts";
import type { Runtime } from "./runtimes.ts";

/** `main` and `everything` serve over HTTP; `stdio` over the standard streams. */
export type Example = "main" | "everything" | "stdio";

const names = [
  "connect",
  "connect_page",
  "everything",
  "main",
  "main_node",
  "serve",
  "serve_on",
  "shop",
  "stdio",
  "sum",
  "trip",
  "whoami",
  "wizard",
  ...["asking", "changes", "content", "media", "prompts", "reconnecting", "resources"].map((name) =>
    `everything/${name}`
  ),
];

const hosts = ["everything_bun", "everything_node", "example_bun", "example_node"].map((name) =>
  `tests/runtimes/suite/${name}.ts`
);

/** The clone, as a user of Bun or Node has it. */
const clone = kept(async ({ clone }) => {
  const made = await clone();
  await copy(made, ...hosts);
  return made;
});

/** In JavaScript, beside the package as it would be published, for what runs no TypeScript. */
const compiled = kept(async ({ project }) => {
  const made = await project();
  await compile(made, ...names.map((name) => `examples/${name}.ts`), ...hosts);
  return made;
});

/** What starts an example. */
export const command = async (runtime: Runtime, example: Example): Promise<ReadonlyArray<string>> => {
  const { entry, name } = runtime;
  if (entry === "deno") {
    const permissions = example === "stdio" ? ["--no-prompt"] : ["--allow-net", "--allow-env=PORT,MCP_STATE_SECRET"];
    return [Deno.execPath(), "run", ...permissions, `${root}examples/${example}.ts`];
  }
  const file = {
    main: `examples/main_${entry}`,
    everything: `tests/runtimes/suite/everything_${entry}`,
    stdio: `tests/runtimes/suite/example_${entry}`,
  }[example];
  const tools = await workshop();
  const strict = "--disallow-code-generation-from-strings";
  if (name === "Node 20") return [tools.node20, strict, `${(await compiled()).path}/${file}.js`];
  return [...(entry === "bun" ? [tools.bun] : [tools.node22, strict]), `${(await clone()).path}/${file}.ts`];
};
