/**
 * Tools with and without an output, prompts, resources and templates that return their questions: the same in both eras
 * and over every transport (DESIGN, section 6; B02, B15, B19).
 */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { kinds, stateless, ways } from "./kinds.ts";
import type { Talk, User } from "./talk.ts";

const accept = (name: string) => ({ action: "accept", content: { name } });
const says = (answer: unknown): User => () => answer;

/** The same for every kind of handler. */
const same = async (
  talk: Talk,
  behaviour: string,
  user: User,
  expected: { readonly said: string; readonly asked: ReadonlyArray<string> },
): Promise<void> => {
  for (const [kind, ask] of Object.entries(kinds)) assertEquals(await talk(ask(behaviour), user), expected, kind);
};

const rule = "A call either asks with Need or returns Manual.inputRequired, not both";

for (const { era, name, use } of ways) {
  const limit = era === "modern" ? 16 : 8;
  // A modern call is over with its 16th round; a legacy handler is entered again 8 times, and returns for the ninth time.
  const asks = era === "modern" ? 15 : 8;
  const still = era === "modern" ? "still asked" : "still returned";

  describe(name, () => {
    test("an answer reaches the handler, which runs again", () =>
      use((talk) => same(talk, "greet", says(accept("Ada")), { said: "Hello Ada", asked: ["Who?"] })));

    for (const action of ["decline", "cancel"]) {
      test(`${action} is an answer, and asked once`, () =>
        use((talk) => same(talk, "greet", says({ action }), { said: `Hello stranger: ${action}`, asked: ["Who?"] })));
    }

    test("two questions go out in one round; what is invalid is asked again, with the reason, and the other is not", () =>
      use(async (talk) => {
        for (const [kind, ask] of Object.entries(kinds)) {
          let times = 0;
          const user: User = (message) =>
            message.endsWith("B?") ? accept(times++ === 0 ? "" : "Bea") : { action: "decline" };
          const { asked, said } = await talk(ask("two"), user);
          assertEquals(said, "decline,Bea", kind);
          const reason = 'The last answer cannot be used: "name" must have at least 1 character\n\nB?';
          assertEquals([asked.slice(0, 2).sort(), asked.slice(2)], [["A?", "B?"], [reason]], kind);
        }
      }));

    test("state alone is a turn without a question", () =>
      use((talk) => same(talk, "count", says(undefined), { said: "2", asked: [] })));

    test("a handler that asks in a loop ends with an error that names the key", () =>
      use((talk) =>
        same(talk, "loop", says({ action: "decline" }), {
          said: `error -32603 The call reached its limit of ${limit} rounds; ${still}: "who"`,
          asked: new Array(asks).fill("Who?"),
        })
      ));

    test("state alone in a loop ends the same way", () =>
      use((talk) =>
        same(talk, "spin", says(undefined), {
          said: `error -32603 The call reached its limit of ${limit} rounds; still returned: "requestState"`,
          asked: [],
        })
      ));

    test("a state that the author refuses is an invalid one", () =>
      use((talk) => same(talk, "refuse", says(undefined), { said: "error -32602 Invalid request state", asked: [] })));

    test("both styles in one call are refused with a message that says so", () =>
      use((talk) =>
        same(talk, "mixed", says({ action: "accept", content: { ok: true } }), {
          said: `error -32603 ${rule}: the handler also asked "sure"`,
          asked: ["Sure?"],
        })
      ));

    test("neither requests nor a state is an error", () =>
      use((talk) =>
        same(talk, "nothing", says(undefined), {
          said: "error -32603 Cannot return inputRequired: it has neither requests nor a state",
          asked: [],
        })
      ));

    test("a client that did not declare it is not asked, and canRequest says so before", () =>
      use(async (talk) => {
        const lacks = "The client lacks required capabilities: elicitation.form";
        await same(talk, "can", says(undefined), { said: "false", asked: [] });
        for (const [kind, ask] of Object.entries(kinds)) {
          // Older tools have an error result for it, as every other end of theirs that people can do something about
          const legacy = kind.startsWith("tool") ? `failed: ${lacks}` : `error -32603 ${lacks}`;
          const said = era === "modern" ? `error -32021 ${lacks}` : legacy;
          assertEquals(await talk(ask("greet"), says(accept("Ada"))), { said, asked: [] }, kind);
        }
      }, era === "modern" ? { elicitation: { url: {} } } : { elicitation: true, roots: 1 }));
  });
}

describe("2025-11-25 without a session", () => {
  test("state alone goes on inside of the one request, up to the limit", () =>
    stateless(async (talk) => {
      await same(talk, "count", says(undefined), { said: "2", asked: [] });
      await same(talk, "spin", says(undefined), {
        said: 'error -32603 The call reached its limit of 8 rounds; still returned: "requestState"',
        asked: [],
      });
    }));

  test("an ask ends in an error that says what to do instead", () =>
    stateless(async (talk) => {
      await same(talk, "can", says(undefined), { said: "false", asked: [] });
      for (const [kind, ask] of Object.entries(kinds)) {
        const { said } = await talk(ask("greet"), says(undefined));
        assertEquals(
          said.replace(/^(failed:|error -32603) /, "").slice(0, 22),
          'Cannot ask "who": This',
          `${kind}: ${said}`,
        );
        assertEquals(
          said.endsWith("use a client of 2026-07-28, or let the server keep sessions"),
          true,
          `${kind}: ${said}`,
        );
      }
    }));
});
