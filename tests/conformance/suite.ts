/**
 * The official conformance suite. Its exit code hides warnings and failures of pending scenarios, so the `checks.json`
 * files that it writes are read instead.
 */
import { assert, assertEquals } from "@std/assert";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { run } from "../process.ts";
import { demanded, excepted, requirements } from "./scenarios.ts";

interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  readonly details?: unknown;
}

const suite = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** A result's folder is called `server-<scenario>-<time>`. */
const scenarioOf = (folder: string): string =>
  folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, "");

const read = async (folder: string): Promise<ReadonlyMap<string, ReadonlyArray<Check>>> => {
  const scenarios = new Map<string, ReadonlyArray<Check>>();
  for (const name of await readdir(folder)) {
    scenarios.set(scenarioOf(name), JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8")));
  }
  return scenarios;
};

/** A server with everything that the suite asks for. */
export interface Server {
  readonly url: URL;
  readonly stop: () => Promise<void>;
}

/** Runs the suite of each revision against what `serve` serves. */
export const conformance = (name: string, serve: () => Promise<Server>): void => {
  describe(`conformance of ${name}`, () => {
    let server: Server;

    before(async () => {
      server = await serve();
    });

    after(() => server?.stop());

    for (const { raw, required, revision, unscored } of requirements) {
      describe(revision, () => {
        let folder: string;
        let output: string;
        let scenarios: ReadonlyMap<string, ReadonlyArray<Check>> = new Map();

        before(async () => {
          folder = await mkdtemp(join(tmpdir(), "conformance-"));
          const args = ["server", "--url", server.url.href, "--requirements", revision, "--output-dir", folder];
          ({ output } = await run(["run", "-A", suite, ...args]));
          scenarios = await read(folder);
        });

        after(async () => {
          if (folder !== undefined) await rm(folder, { recursive: true, force: true });
        });

        test(`suite: runs the ${required.length} required and the ${unscored.length} unscored scenarios, and no others`, () => {
          const ran = [...scenarios.keys()].filter((name) => !excepted.test(name)).sort();
          assertEquals(ran, [...required, ...unscored].sort(), output);
        });

        for (const name of [...required, ...unscored]) {
          test(`${name}: has no failure, no warning, nothing skipped`, () => {
            const checks = scenarios.get(name);
            assert(checks !== undefined && checks.length > 0, `The suite wrote no checks for ${name}`);
            assertEquals(checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO"), []);
            const succeeded = checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id);
            assertEquals((demanded[name] ?? []).filter((id) => !succeeded.includes(id)), []);
          });
        }

        test("wire-schema-valid: holds in every scenario, and is checked in all but those that send raw requests", () => {
          for (const [name, checks] of scenarios) {
            const statuses = checks.filter(({ id }) => id === "wire-schema-valid").map(({ status }) => status);
            if (excepted.test(name) && statuses.length === 0) continue;
            assertEquals(statuses, raw.includes(name) ? [] : ["SUCCESS"], name);
          }
        });
      });
    }
  });
};
