/** Clients of both eras at the same time, on one endpoint: every message reaches the one that it is for, in its words. */
import { assert } from "@std/assert";
import { after, before, describe, test } from "node:test";
import { serve, type Server } from "../process.ts";
import { complete, kinds } from "./people.ts";

describe("both eras at once", () => {
  let server: Server;

  before(async () => {
    server = await serve("examples/main.ts");
  });

  after(() => server?.stop());

  const seen = new Set<string>();

  test("examples: 50 clients of each kind complete them at the same time, and no message is crossed", async () => {
    const clients = Array.from(
      { length: 50 },
      (_, index) => kinds.map((kind, at) => [kind, index * 3 + at + 1] as const),
    );
    await Promise.all(clients.flat().map(([kind, number]) => complete(server.url, kind, number, seen)));
    assert(seen.size > 50);
  });
});
