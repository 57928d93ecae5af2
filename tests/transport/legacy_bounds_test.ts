/** Cases B38 and B62: sessions and their calls leave nothing behind, and are bounded while they last. */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { run, script } from "../process.ts";

interface Printed {
  readonly alive: string;
  readonly idle: string;
  readonly ready: ReadonlyArray<string>;
  readonly flat: { readonly [kind: string]: { readonly heap: number; readonly fibers: number } };
  readonly [figure: `bytes ${string}`]: number;
}

test("sessions: are gone after DELETE or the idle limit, at most as many as may be, and no call leaves anything", async () => {
  const program = script("tests/transport/legacy_bounds.ts", ["--expose-gc"]);
  const { code, output } = await run([...program, "4000", "20000", "80"]);
  assertEquals(code, 0, output);
  const printed = JSON.parse(output) as Printed;
  assertEquals([printed.alive, printed.idle], ["200/ok", "404/-32600"]);
  // An idle session may have 8 KiB (DESIGN.md, section 13); what compilers took is shared by all
  assert(printed["bytes per idle session"]! < 8_192, output);
  assert(printed["bytes left per session"]! < 500, output);
  assert(printed["bytes per initialize"]! < 250, output);
  // Sessions whose clients are there do not make room for those that nobody came back to
  assertEquals(printed.ready, Array(10).fill("200/ok"));
  for (const [kind, { fibers, heap }] of Object.entries(printed.flat)) {
    assertEquals([kind, fibers], [kind, 0]);
    assert(heap < 800, `${kind} leaves ${heap} bytes a call`);
  }
});
