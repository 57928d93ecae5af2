/** The examples as programs: what they print, how they stop, and the demo in the terminal. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { modern } from "../transport/stdio_kit.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { tasks } = JSON.parse(await readFile(new URL("../../deno.json", import.meta.url), "utf8"));
const secret = "a secret of at least thirty-two bytes";

const deno = (args: ReadonlyArray<string>, env: Record<string, string> = {}): ChildProcess => {
  const child = spawn(process.execPath, [...args], { cwd: root, env: { ...process.env, NO_COLOR: "1", ...env } });
  child.stdout!.setEncoding("utf8");
  child.stderr!.setEncoding("utf8");
  return child;
};

/** The words of a task after `deno`. */
const words = (task: string): ReadonlyArray<string> => tasks[task].split(" ").slice(1);

/** Starts a server, takes its first lines, stops it with `signal`, and gives all that it said. */
const served = async (
  args: ReadonlyArray<string>,
  lines: number,
  signal: NodeJS.Signals,
  env: Record<string, string>,
) => {
  const child = deno(args, { PORT: "0", ...env });
  const closed = once(child, "close");
  let errors = "";
  child.stderr!.on("data", (text: string) => errors += text);
  const output: Array<string> = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    output.push(line);
    if (output.length === lines) process.kill(child.pid!, signal);
  }
  const [code] = await closed;
  return { code, errors, output };
};

const address = /^http:\/\/127\.0\.0\.1:\d+\/mcp$/;

describe("example servers", () => {
  const manual = ["manual_whoami", "manual_greet", "manual_wizard", "manual_sum"];
  for (const name of ["whoami", "greet", "shop", "trip", "wizard", "sum", "connect", ...manual, "returning"]) {
    test(`examples/${name}.ts: prints its URL first, and stops cleanly`, async () => {
      const args = ["run", "--allow-net", "--allow-env=PORT,MCP_STATE_SECRET", `examples/${name}.ts`];
      const { code, errors, output } = await served(args, 1, "SIGTERM", { MCP_STATE_SECRET: secret });
      assertMatch(output[0]!, address);
      assertEquals([code, output.length, errors], [0, 1, ""]);
    });
  }

  test("task start: prints its URL and how to connect, warns of a random key, and stops on SIGINT", async () => {
    const { code, errors, output } = await served(words("start"), 2, "SIGINT", { MCP_STATE_SECRET: "" });
    assertMatch(output[0]!, address);
    assertStringIncludes(output[1]!, `new StreamableHTTPClientTransport(new URL("${output[0]}"))`);
    assertEquals([code, output.length], [0, 2]);
    assertStringIncludes(errors, "MCP_STATE_SECRET is not set");
  });

  test("examples/stdio_returning.ts: serves both styles to a host that grants nothing, and ends with its input", async () => {
    const child = deno(["run", "--no-prompt", "examples/stdio_returning.ts"]);
    child.stdin!.end(`${JSON.stringify(modern(1, "tools/list"))}\n`);
    let output = "";
    child.stdout!.on("data", (text: string) => output += text);
    const [code] = await once(child, "close");
    const { tools } = JSON.parse(output).result;
    const styles = ["whoami", "greet", "wizard", "sum"].flatMap((name) => [name, `manual_${name}`]);
    assertEquals([code, tools.map(({ name }: { readonly name: string }) => name)], [0, styles]);
  });

  test("task start: has the permissions that it needs, and no others", () => {
    for (const task of ["start", "demo"]) assert(!words(task).some((word) => /^(-A|--allow-all)$/.test(word)));
  });
});

/** Runs the demo with `input` as its standard input, which may stay open. */
const demo = async (input: string, open = false) => {
  const child = deno(words("demo"));
  if (open) child.stdin!.write(input);
  else child.stdin!.end(input);
  let output = "";
  child.stdout!.on("data", (text: string) => output += text);
  const [code] = await once(child, "close");
  return { code, output };
};

describe("task demo", () => {
  test("task demo: answers from its script when there is no input, and ends well", async () => {
    const { code, output } = await demo("");
    assertEquals(code, 0);
    assertStringIncludes(output, "result: Refund R-1 over 20 is on its way. Thank you for the 5!");
    assertStringIncludes(output, "result: 3 days in Lisbon, from 2027-05-01.");
    assertEquals(
      output.match(/^ {2}round \d$/gm),
      ["round 1", "round 2", "round 3", "round 1", "round 2"].map((line) => `  ${line}`),
    );
    for (const [, length] of output.matchAll(/state: (\d+) characters/g)) assert(Number(length) > 0);
    assertEquals([...output.matchAll(/^ {4}asked (\w+)/gm)].map(([, key]) => key), [
      "sure",
      "rating",
      "when",
      "ideas",
      "roots",
    ]);
    assertStringIncludes(output, 'answered rating: {"action":"accept","content":{"rating":5}}');
  });

  test("task demo: takes its answers from standard input", async () => {
    const { code, output } = await demo("no\n2027-06-01\n7\n800\nThe tiles.\n");
    assertEquals(code, 0);
    assertStringIncludes(output, "result: Nothing was refunded.");
    assertStringIncludes(
      output,
      "result: 7 days in Lisbon, from 2027-06-01, for at most 800.\nDo not miss: The tiles.",
    );
  });

  test("task demo: ends with the conversation, though more could be typed", async () => {
    const { code } = await demo("no\n/decline\nnothing\n", true);
    assertEquals(code, 0);
  });

  test("task demo: cancels what is left when the input ends, and declines on request", async () => {
    const { code, output } = await demo("/decline\n");
    assertEquals(code, 0);
    assertStringIncludes(output, "result: Nothing was refunded.");
    assertStringIncludes(output, 'error: The user cancelled "when"');
  });
});
