/** The programs of DESIGN.md, section 5, under the live interpreter: what they come to does not depend on the era. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { accept } from "./kit.ts";
import { after, call, peerOf, type Replies } from "./live_kit.ts";
import { programs } from "./programs.ts";

/** A client that answers at once may answer one question before another one is asked, which then may not be. */
const clients: ReadonlyArray<readonly [boolean, (script: typeof accept) => Replies]> = [
  [false, (script) => (key, times) => Effect.sync(() => script(key, times))],
  [true, (script) => after(5, script)],
];

/** Where more is asked than an interim round asks for, which waits for what happens next. */
const sent: { readonly [name: string]: ReadonlyArray<string> } = {
  "all, a branch that fails after a yield": ["a"],
};

for (const { acts = [], answers, asks, capabilities, handler, log = [], name, result } of programs) {
  for (const [slow, replies] of clients) {
    test(`live, a client that answers ${slow ? "later" : "at once"}: ${name}`, async () => {
      const acted: Array<string> = [];
      let notes: Array<string> = [];
      // Begins anew in each pass, as the interim one does in each round.
      const program = Effect.suspend(() => {
        const own: Array<string> = notes = [];
        return handler(
          (what) => Effect.sync(() => void own.push(what)),
          (what) => Effect.sync(() => void acted.push(what)),
        );
      });
      const peer = peerOf(
        replies((key, times) => answers?.[key] ?? accept(key, times)),
        capabilities === undefined ? {} : { capabilities },
      );
      const told = await call(program, peer, capabilities === undefined ? {} : { capabilities });
      assertEquals({ result: told, log: notes, acts: acted }, { result, log, acts });
      const expected = sent[name] ?? asks.flat();
      if (slow) assertEquals(peer.asked.toSorted(), expected.toSorted());
      else assertEquals(peer.asked.filter((key) => !expected.includes(key)), []);
    });
  }
}
