/**
 * A user who says no is asked once, never again: in every example that asks, at each of its questions, in both eras
 * (DESIGN, section 3, rule 2).
 */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type { McpServer } from "@needful/mcp";
import { authenticate, server as connect } from "../../examples/connect.ts";
import { layer as accounts } from "../../examples/connect_page.ts";
import { server as everything } from "../../examples/everything.ts";
import { tools as asking } from "../../examples/everything/asking.ts";
import { server as greet } from "../../examples/greet.ts";
import { server as manualGreet } from "../../examples/manual_greet.ts";
import { server as manualWhoami } from "../../examples/manual_whoami.ts";
import { server as manualWizard } from "../../examples/manual_wizard.ts";
import { layer as shopLayer, server as shop } from "../../examples/shop.ts";
import { server as trip } from "../../examples/trip.ts";
import { server as whoami } from "../../examples/whoami.ts";
import { server as wizard } from "../../examples/wizard.ts";
import { inProcess, type Options } from "../cases/serve.ts";
import { legacyHttp, modernHttp, type Talk } from "../manual/talk.ts";

/** What a user says who goes along, by how the question begins. */
const yes: ReadonlyArray<readonly [begins: string, content: unknown]> = [
  ["What is your name?", { name: "Ada" }],
  ["Who shall be greeted?", { name: "Ada" }],
  ["Where are they?", { city: "Oslo" }],
  ["Which size?", { choice: "large" }],
  ["What do you want on your large pizza?", { choice: ["olives"] }],
  ["A large pizza with olives: shall we bake it?", { choice: "bake" }],
  ["Refund 5 for order A-1?", { ok: true }],
  ["How did we do", { rating: 5 }],
  ["When do you travel", { from: "2027-05-01", days: 3 }],
];

/** What a client says that is asked for something else than its user. */
const others: { readonly [method: string]: unknown } = {
  "sampling/createMessage": { role: "assistant", model: "m", content: { type: "text", text: "The harbour" } },
  "roots/list": { roots: [] },
};

interface Example {
  readonly tool: string;
  readonly args?: { readonly [name: string]: unknown };
  /** Questions to the user on the way to the end. */
  readonly questions: number;
  readonly use: (run: (fetch: (request: Request) => Promise<Response>) => Promise<void>) => Promise<void>;
}

const example = <R = never>(
  server: McpServer.McpServer<R>,
  tool: string,
  questions: number,
  args: { readonly [name: string]: unknown } = {},
  options: Options<R> = {},
): Example => ({
  tool,
  args,
  questions,
  use: (run) => inProcess(server, ({ fetch }) => run(fetch), { ...options, legacy: { pacing: 0 } }),
});

const order = { order: "A-1", amount: 5 };
const city = { city: "Lisbon" };

const examples: ReadonlyArray<Example> = [
  example(whoami, "whoami", 1),
  example(manualWhoami, "manual_whoami", 1),
  example(greet, "greet", 2),
  example(manualGreet, "manual_greet", 2),
  example(wizard, "wizard", 3),
  example(manualWizard, "manual_wizard", 3),
  example(shop, "refund", 2, order, { layer: shopLayer }),
  example(trip, "trip", 1, city),
];

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const ada = { authorization: "Bearer ada-token" };

const clients: { readonly [name: string]: (fetch: (request: Request) => Promise<Response>) => Promise<Talk> } = {
  "2026-07-28": (fetch) => Promise.resolve(modernHttp(fetch, capabilities, ada)),
  "2025-11-25": (fetch) => legacyHttp(fetch, "2025-11-25", capabilities, ada),
};

/** Calls a tool as a user who goes along with so many questions, and then does `action` to all others. */
const call = async (talk: Talk, { args = {}, tool }: Example, willing: number, action: string) => {
  let answered = 0;
  const refused: Array<string> = [];
  const end = await talk(["tools/call", { name: tool, arguments: args }], (message, { method }) => {
    if (method in others) return others[method];
    if (answered++ >= willing) {
      refused.push(message);
      return { action };
    }
    const [, content] = yes.find(([begins]) => message.startsWith(begins)) ?? [];
    assert(content !== undefined, `Unforeseen question: ${message}`);
    return { action: "accept", content };
  });
  return { ...end, refused };
};

for (const [client, talkOf] of Object.entries(clients)) {
  describe(`a user of ${client}`, () => {
    for (const one of examples) {
      test(`${one.tool}: asks for ${one.questions} things at most, and for none of them again after a no`, () =>
        one.use(async (fetch) => {
          const talk = await talkOf(fetch);
          const all = await call(talk, one, 99, "decline");
          assertEquals(all.asked.filter((message) => !(message in others)).length, one.questions, all.said);
          assert(!all.said.startsWith("failed"), all.said);
          for (const action of ["decline", "cancel"]) {
            for (let willing = 0; willing < one.questions; willing++) {
              const { asked, refused, said } = await call(talk, one, willing, action);
              assertEquals(asked.length, new Set(asked).size, `${willing}, ${action}: ${asked}`);
              assert(refused.length > 0, `${willing}, ${action}: ${said}`);
              // It is told so: only a refund that is not confirmed is an end like any other
              const no = action === "decline" ? "failed: The user declined" : "failed: The user cancelled";
              assert(said.startsWith(no) || said === "Nothing was refunded.", said);
            }
          }
        }));
    }

    test("everything: asks for nothing again after a no", () =>
      inProcess(everything, async ({ fetch }) => {
        const talk = await talkOf(fetch);
        for (const { name } of asking) {
          const args = { message: "Please?", prompt: "Hi" };
          const { asked } = await talk(["tools/call", { name, arguments: args }], (_, { method }) =>
            others[method] ?? { action: "decline" });
          assert(asked.length > 0, name);
          assertEquals(asked.length, new Set(asked).size, `${name}: ${asked}`);
        }
      }));

    test("connect: is sent to the page once", () =>
      inProcess(connect, async ({ fetch }) => {
        const talk = await talkOf(fetch);
        for (const action of ["decline", "cancel"]) {
          const { asked, said } = await talk(["tools/call", { name: "connect", arguments: {} }], () => ({ action }));
          assertEquals(asked.length, 1);
          assertEquals(said, `failed: The user ${action === "decline" ? "declined" : "cancelled"} "account"`);
        }
      }, { layer: accounts, authenticate }));
  });
}
