/** The programs of DESIGN.md, section 5, under the interim interpreter. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { accept, drive } from "./kit.ts";
import { programs } from "./programs.ts";

for (const { acts = [], answers, asks, capabilities, handler, log = [], name, result } of programs) {
  test(`interim: ${name}`, async () => {
    const acted: Array<string> = [];
    let notes: Array<string> = [];
    const flow = await drive(
      () => {
        const own: Array<string> = notes = [];
        return handler(
          (what) => Effect.sync(() => void own.push(what)),
          (what) => Effect.sync(() => void acted.push(what)),
        );
      },
      (key, round) => answers?.[key] ?? accept(key, round),
      capabilities === undefined ? {} : { capabilities },
    );
    assertEquals({ result: flow.result, asks: flow.asks, log: notes, acts: acted }, { result, asks, log, acts });
  });
}
