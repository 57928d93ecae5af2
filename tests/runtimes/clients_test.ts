/** Real clients against the examples on every runtime: both eras, HTTP and standard streams. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { complete, kinds } from "../clients/people.ts";
import { clients, complete as completeOverStdio, person } from "../clients/stdio_people.ts";
import { command } from "./suite/examples.ts";
import { launch, type Launched, stop } from "./suite/launch.ts";
import { type Runtime, runtimes } from "./suite/runtimes.ts";

const serving = async (runtime: Runtime, use: (server: Launched) => Promise<void>): Promise<void> => {
  const server = await launch(await command(runtime, "main"), {
    PORT: "0",
    MCP_STATE_SECRET: "a key for tests that is long enough",
  });
  try {
    await use(server);
  } finally {
    await stop(server);
  }
};

for (const runtime of runtimes) {
  describe(`clients of ${runtime.name}`, () => {
    test("http: 10 official clients of each kind complete all examples at the same time", () =>
      serving(runtime, async ({ errors, url }) => {
        const seen = new Set<string>();
        const people = Array.from(
          { length: 10 },
          (_, index) => kinds.map((kind, at) => complete(url, kind, index * 3 + at + 1, seen)),
        );
        await Promise.all(people.flat());
        assertEquals(errors(), "");
      }));

    test("stdio: official clients of each kind complete all examples", () =>
      Promise.all(clients.map(async ([name, revision, connect]) => {
        const host = await connect(await command(runtime, "stdio") as [string], person("Ada"));
        try {
          assertEquals(host.revision, revision, name);
          await completeOverStdio(host, "Ada");
        } finally {
          await host.close();
        }
      })).then(() => {}));
  });
}
