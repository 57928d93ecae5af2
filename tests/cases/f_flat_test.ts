/** Cases B16 and B62: calls of every kind leave nothing behind, those that are never continued included. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { run, script } from "../process.ts";

interface Alive {
  readonly heap: number;
  readonly fibers: number;
  readonly timers: number;
  readonly listeners: number;
}

interface Printed {
  readonly report: { readonly [kind: string]: Alive };
  /** How many there were in all. */
  readonly seen: { readonly fibers: number; readonly timers: number; readonly listeners: number };
}

const flat = async (calls: number, ...kinds: ReadonlyArray<string>): Promise<Printed["seen"]> => {
  const { code, output } = await run([...script("tests/cases/f_flat.ts", ["--expose-gc"]), `${calls}`, ...kinds]);
  assertEquals(code, 0, output);
  const { report, seen } = JSON.parse(output) as Printed;
  assertEquals(Object.keys(report), kinds);
  for (const [kind, { fibers, heap, listeners, timers }] of Object.entries(report)) {
    assertEquals([kind, fibers, timers, listeners], [kind, 0, 0, 0]);
    // Bytes a call. A request, a fiber or a journal that is kept takes several times as much
    assert(heap < 800, `${kind} leaves ${heap} bytes a call`);
  }
  return seen;
};

describe("B16, B62: many calls", () => {
  test("B16: asks that nobody answers leave no fiber, timer, listener or heap behind", async () => {
    const seen = await flat(250, "abandoned", "abandoned-two", "abandoned-resource", "abandoned-detached");
    assert(seen.fibers >= 4 * 4 * 250);
  });

  test("B16: neither do those with work, finalizers and time limits around them", async () => {
    const seen = await flat(120, "abandoned-all");
    assert(seen.fibers > 480 && seen.timers > 480);
  });

  test("B62: neither do results, streams, faults, refused states, notifications and whole flows", async () => {
    const kinds = [
      "json",
      "sse",
      "error",
      "defect",
      "malformed",
      "state",
      "notification",
      "incapable",
      "flow",
      "declined",
    ];
    const seen = await flat(80, ...kinds);
    assert(seen.fibers > 3000);
  });

  test("B62: neither do calls that are cancelled while one signal outlives them all, nor subscriptions that are left", async () => {
    const seen = await flat(80, "cancelled", "listen");
    assert(seen.listeners > 320 && seen.timers > 320);
  });
});
