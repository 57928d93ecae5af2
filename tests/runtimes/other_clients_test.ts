/** Clients that cannot be asked: that of `effect/ai`, and the command line of the Inspector, on every runtime. */
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner";
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem";
import * as NodePath from "@effect/platform-node-shared/NodePath";
import * as McpClient from "effect/ai/McpClient";
import * as McpProtocol from "effect/ai/McpProtocol";
import * as Effect from "effect/Effect";
import * as FetchHttpClient from "effect/http/FetchHttpClient";
import * as Layer from "effect/Layer";
import * as ChildProcess from "effect/process/ChildProcess";
import { command } from "./suite/examples.ts";
import { launch, type Launched, stop } from "./suite/launch.ts";
import { runtimes } from "./suite/runtimes.ts";
import { execute, workshop } from "./workshop.ts";

const about = { name: "test", version: "1.0.0" };

const spawner = NodeChildProcessSpawner.layer.pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer]));

/** Connects, and calls one tool of those that are listed. */
const callOne = (
  client: Layer.Layer<McpClient.McpClient, unknown>,
  name: string,
  args: Record<string, string> = {},
): Promise<string> =>
  McpClient.McpClient.pipe(
    Effect.flatMap(({ callTool, listTools, protocolVersion }) =>
      Effect.gen(function* () {
        const tool = (yield* listTools()).find((tool) => tool.name === name)!;
        const { content } = yield* callTool({ tool, arguments: args });
        return `${protocolVersion}: ${content.map((block) => block.type === "text" ? block.text : "").join("")}`;
      })
    ),
    Effect.provide(client),
    Effect.runPromise,
  );

const inspect = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { inspector, node22 } = await workshop();
  // It keeps files at home
  const { code, output } = await execute(node22, [inspector, "--cli", ...args], { env: { HOME: tmpdir() } });
  return `${code}: ${output}`;
};

/** Programs that the inspector starts get its home, but have to find what Deno keeps at ours. */
const atHome = async (program: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { output } = await execute(Deno.execPath(), ["info", "--json"]);
  return ["env", `DENO_DIR=${JSON.parse(output).denoDir}`, ...program];
};

for (const runtime of runtimes) {
  describe(`other clients of ${runtime.name}`, () => {
    let server: Launched;
    let program: ReadonlyArray<string>;
    before(async () => {
      const env = { PORT: "0", MCP_STATE_SECRET: "a key for tests that is long enough" };
      server = await launch(await command(runtime, "everything"), env);
      program = await runtime.command(`stdio_${runtime.entry}`);
    });
    after(() => server && stop(server));

    for (const protocol of [McpProtocol.v2026_07_28, McpProtocol.v2025_11_25]) {
      const version = protocol.protocolVersion;

      test(`effect/ai: lists and calls over HTTP in ${version}`, async () => {
        const client = McpClient.layerHttp({ ...about, protocol, url: server.url }).pipe(
          Layer.provide(FetchHttpClient.layer),
        );
        assertEquals(
          await callOne(client, "test_simple_text"),
          `${version}: This is a simple text response for testing.`,
        );
      });

      test(`effect/ai: lists and calls over the standard streams in ${version}`, async () => {
        const [file, ...args] = program;
        const client = McpClient.layerStdio({ ...about, protocol, command: ChildProcess.make(file!, args) }).pipe(
          Layer.provide(spawner),
        );
        assertEquals(await callOne(client, "echo", { text: "é" }), `${version}: é`);
      });
    }

    for (const era of ["modern", "legacy"]) {
      test(`inspector: lists and calls over HTTP, ${era}`, async () => {
        const http = [server.url.href, "--transport", "http", "--protocol-era", era];
        assertStringIncludes(await inspect(...http, "--method", "tools/list"), '"name": "test_simple_text"');
        const called = await inspect(...http, "--method", "tools/call", "--tool-name", "test_simple_text");
        assertStringIncludes(called, "This is a simple text response for testing.");
        assertEquals(called.slice(0, 3), "0: ");
      });

      test(`inspector: lists and calls over the standard streams, ${era}`, async () => {
        const started = ["--", ...runtime.entry === "deno" ? await atHome(program) : program];
        const list = ["--method", "tools/list"];
        assertStringIncludes(await inspect("--protocol-era", era, ...list, ...started), '"name": "echo"');
        const method = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=x"];
        const called = await inspect("--protocol-era", era, ...method, ...started);
        assertStringIncludes(called, '"text": "x"');
        assertEquals(called.slice(0, 3), "0: ");
      });
    }
  });
}
