/** The examples, through the scripted client. */
import { describe, test } from "node:test";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { accept, cancel, Client, connect, decline, rooted, RpcError, sampled } from "@needful/mcp/testing";
import { closing } from "../closing.ts";
import { layer as layerShop, server as shop, Shop } from "../../examples/shop.ts";
import { server as sum } from "../../examples/sum.ts";
import { server as trip } from "../../examples/trip.ts";
import { server as whoami } from "../../examples/whoami.ts";
import { server as wizard } from "../../examples/wizard.ts";

const yes = accept({ ok: true });

describe("whoami", () => {
  test("whoami: greets by the name that was given", () =>
    closing(connect(whoami), async (client) => {
      const call = await client.callTool("whoami", {}, { username: accept({ name: "Ada" }) });
      assertEquals(call.text, "Hello, Ada!");
      assertEquals(call.rounds.map(({ asked }) => Object.keys(asked)), [["username"], []]);
    }));

  test("whoami: asks again, with the reason, after an empty name", () =>
    closing(connect(whoami), async (client) => {
      const call = await client.callTool("whoami", {}, { username: [accept({ name: "" }), accept({ name: "Ada" })] });
      assertEquals(call.text, "Hello, Ada!");
      assertMatch(call.rounds[1]!.asked["username"]!.message, /name[^]+What is your name\?$/);
    }));

  for (const [action, said] of [[decline, "declined"], [cancel, "cancelled"]] as const) {
    test(`whoami: ends with an error result that says what was ${said} (section 3, rule 2)`, () =>
      closing(connect(whoami), async (client) => {
        const { result, text } = await client.callTool("whoami", {}, { username: action });
        assertEquals([result.isError, text], [true, `The user ${said} "username"`]);
      }));
  }

  test("whoami: refuses a client that cannot be asked, and names what it lacks (section 3, rule 1)", () =>
    closing(connect(whoami, { capabilities: [] }), async (client) => {
      const error = await client.callTool("whoami").then(() => undefined, (error) => error);
      assertEquals(error instanceof RpcError && [error.code, error.data], [
        -32021,
        { requiredCapabilities: { elicitation: { form: {} } } },
      ]);
    }));
});

describe("shop", () => {
  const order = { order: "A-17", amount: 20 };

  /** Calls the tool and gives what it said, and what the shop wrote down. */
  const refund = (script: Parameters<Client["callTool"]>[2], args = order) =>
    Effect.gen(function* () {
      const client = yield* Client.make(shop);
      const call = yield* client.callTool("refund", args, script);
      return { ...call, ledger: yield* (yield* Shop).ledger };
    }).pipe(Effect.scoped, Effect.provide(layerShop), Effect.runPromise);

  test("shop: refunds exactly once in three rounds, and saves the rating at the end", async () => {
    const { ledger, rounds, text } = await refund({ sure: yes, rating: accept({ rating: 5 }) });
    assertEquals(text, "Refund R-1 over 20 is on its way. Thank you for the 5!");
    assertEquals(rounds.map(({ asked }) => Object.keys(asked)), [["sure"], ["rating"], []]);
    assertEquals(ledger, [
      { type: "refund", order: "A-17", amount: 20 },
      { type: "rating", order: "A-17", rating: 5 },
    ]);
  });

  test("shop: calls its refund service exactly once, which need not dedupe by itself", async () => {
    const references: Array<string> = [];
    const counting = Layer.succeed(Shop, {
      refund: (reference, order, amount) =>
        Effect.sync(() => ({ id: `R-${references.push(reference)}`, order, amount })),
      saveRating: () => Effect.void,
      ledger: Effect.succeed([]),
    });
    await closing(connect(shop, counting), async (client) => {
      const rating = [accept({ rating: 6 }), accept({ rating: 5 })];
      const call = await client.callTool("refund", order, { sure: yes, rating });
      assertEquals(call.text, "Refund R-1 over 20 is on its way. Thank you for the 5!");
      assertEquals([call.rounds.length, references.length], [4, 1]);
      await client.callTool("refund", order, { sure: yes, rating: accept({ rating: 5 }) });
      assertEquals([references.length, new Set(references).size], [2, 2]);
    });
  });

  test("shop: refunds exactly once though a rating that is no rating adds rounds", async () => {
    const ratings = [6, 0, 2.5, 3].map((rating) => accept({ rating }));
    const { ledger, rounds } = await refund({ sure: yes, rating: ratings });
    assertEquals(rounds.length, 6);
    assertEquals(ledger.map(({ type }) => type), ["refund", "rating"]);
  });

  // B22: whatever is not a plain yes refunds nothing.
  for (
    const [name, answer] of [["a no", accept({ ok: false })], ["a decline", decline], ["a cancel", cancel]] as const
  ) {
    test(`shop: refunds nothing after ${name}`, async () => {
      const { ledger, result, text } = await refund({ sure: answer });
      assertEquals([text, result.isError ?? false, ledger], ["Nothing was refunded.", false, []]);
    });
  }

  test("shop: refunds nothing on a yes that was volunteered (B05)", async () => {
    const ledger = await Effect.gen(function* () {
      const client = yield* Client.make(shop);
      const call = yield* client.callTool("refund", order, { sure: decline }, { volunteered: { sure: yes } });
      assertEquals(Object.keys(call.rounds[0]!.asked), ["sure"]);
      return yield* (yield* Shop).ledger;
    }).pipe(Effect.scoped, Effect.provide(layerShop), Effect.runPromise);
    assertEquals(ledger, []);
  });

  test("shop: keeps the refund and saves no rating when the rating is declined", async () => {
    const { ledger, result, text } = await refund({ sure: yes, rating: decline });
    assertEquals([result.isError, text], [true, 'The user declined "rating"']);
    assertEquals(ledger, [{ type: "refund", order: "A-17", amount: 20 }]);
  });

  test("shop: says why a refund failed", async () => {
    const { ledger, result, text } = await refund({ sure: yes }, { order: "A-18", amount: 5000 });
    assertEquals([result.isError, text], [true, "The refund failed: more than 1000 at once"]);
    assertEquals(ledger, []);
  });
});

describe("trip", () => {
  const when = accept({ from: "2027-05-01", days: 3 });

  test("trip: asks the user, the model and for roots in one round trip", async () => {
    await closing(connect(trip), async (client) => {
      const call = await client.callTool("trip", { city: "Lisbon" }, {
        when,
        ideas: sampled("The harbour."),
        roots: rooted([{ uri: "file:///home/ada/trips", name: "trips" }]),
      });
      assertEquals(call.rounds.map(({ asked }) => Object.keys(asked).sort()), [["ideas", "roots", "when"], []]);
      assertEquals(
        call.text,
        "3 days in Lisbon, from 2027-05-01.\nDo not miss: The harbour.\nThe plan belongs into trips.",
      );
    });
  });

  test("trip: does not ask a client without roots for them", () =>
    closing(connect(trip, { capabilities: ["elicitation.form", "sampling"] }), async (client) => {
      const call = await client.callTool("trip", { city: "Lisbon" }, { when, ideas: sampled("The harbour.") });
      assertStringIncludes(call.text, "There is no folder to keep the plan in.");
    }));
});

describe("wizard", () => {
  const size = accept({ choice: "large" });
  const toppings = accept({ choice: ["olives", "onions"] });
  const review = (choice: string) => accept({ choice });

  test("wizard: goes step by step", async () => {
    await closing(connect(wizard), async (client) => {
      const call = await client.callTool("wizard", {}, {
        "size:1": size,
        "toppings:1": toppings,
        "review:1": review("bake"),
      });
      assertEquals(call.text, "Baking a large pizza with olives, onions.");
      assertEquals(call.rounds.length, 4);
    });
  });

  test("wizard: starts over with the answers so far as defaults", async () => {
    await closing(connect(wizard), async (client) => {
      const defaults: Array<unknown> = [];
      const call = await client.callTool("wizard", {}, {
        "size:1": size,
        "toppings:1": toppings,
        "review:1": review("change"),
        "size:2": ({ params }) => {
          defaults.push((params["requestedSchema"] as typeof schema).properties.choice.default);
          return accept({ choice: "small" });
        },
        "toppings:2": ({ params }) => {
          defaults.push((params["requestedSchema"] as typeof schema).properties.choice.default);
          return toppings;
        },
        "review:2": review("bake"),
      });
      assertEquals(call.text, "Baking a small pizza with olives, onions.");
      assertEquals(defaults, ["large", ["olives", "onions"]]);
    });
  });

  test("wizard: ends when the user leaves in the middle", () =>
    closing(connect(wizard), async (client) => {
      const { result, text } = await client.callTool("wizard", {}, { "size:1": size, "toppings:1": cancel });
      assertEquals([result.isError, text], [true, 'The user cancelled "toppings:1"']);
    }));
});
const schema = { properties: { choice: { default: "" as unknown } } };

describe("sum", () => {
  test("sum: adds five numbers in a round, in rounds of state alone", () =>
    closing(connect(sum), async (client) => {
      const numbers = Array.from({ length: 23 }, (_, i) => i);
      const call = await client.callTool("sum", { numbers });
      assertEquals(call.text, "The sum is 253.");
      // 23 numbers are four full slices and a rest: four times `again`, five rounds.
      assertEquals(call.rounds.length, 5);
      for (const round of call.rounds.slice(0, -1)) {
        assertEquals([Object.keys(round.asked), "inputRequests" in round.result!, round.stateLength > 0], [
          [],
          false,
          true,
        ]);
      }
    }));

  test("sum: adds nothing to zero, in one round", () =>
    closing(connect(sum), async (client) => {
      const call = await client.callTool("sum", { numbers: [] });
      assertEquals([call.text, call.rounds.length], ["The sum is 0.", 1]);
    }));

  test("sum: adds as many numbers as it takes", () =>
    closing(connect(sum), async (client) => {
      const call = await client.callTool("sum", { numbers: new Array(40).fill(1) });
      assertEquals([call.text, call.rounds.length], ["The sum is 40.", 8]);
    }));
});
