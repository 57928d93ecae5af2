/** The handlers of the examples as ordinary Effects, with test layers for the client and for the author's services. */
import { describe, test } from "node:test";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import { assertEquals } from "@std/assert";
import { Auth } from "@needful/mcp";
import {
  accept,
  cancel,
  layerElicitation,
  layerFlow,
  layerRoots,
  layerSampling,
  run,
  sampled,
} from "@needful/mcp/testing";
import { connect } from "../../examples/connect.ts";
import { Accounts } from "../../examples/connect_page.ts";
import { refund, Shop } from "../../examples/shop.ts";
import { sum } from "../../examples/sum.ts";
import { trip } from "../../examples/trip.ts";
import { wizard } from "../../examples/wizard.ts";

describe("handlers as Effects", () => {
  test("shop: refunds by a shop of the test, once, under the flow's id", async () => {
    const calls: Array<string> = [];
    const shop = Layer.succeed(Shop, {
      refund: (reference, order, amount) =>
        Effect.sync(() => {
          calls.push(`refund ${reference}`);
          return { id: "R-9", order, amount };
        }),
      saveRating: (order, rating) => Effect.sync(() => void calls.push(`rating ${order} ${rating}`)),
      ledger: Effect.succeed([]),
    });
    const answers = layerElicitation({ sure: accept({ ok: true }), rating: accept({ rating: 4 }) });
    const handler = run(refund.handle({ order: "A-1", amount: 3 }), { id: "f-1" });
    const said = handler.pipe(Effect.provide([shop, answers, layerFlow()]), Effect.runPromise);
    assertEquals(await said, "Refund R-9 over 3 is on its way. Thank you for the 4!");
    assertEquals(calls, ["refund f-1", "rating A-1 4"]);
  });

  test("trip: goes on without roots where the client has none", async () => {
    const layers = Layer.mergeAll(
      layerElicitation({ when: accept({ from: "2027-05-01", days: 2 }) }),
      layerSampling({ ideas: sampled("The tiles.") }),
      layerRoots([]),
      layerFlow({ capabilities: ["elicitation.form", "sampling"] }),
    );
    const said = await Effect.runPromise(Effect.provide(run(trip.handle({ city: "Porto" })), layers));
    assertEquals(
      said,
      "2 days in Porto, from 2027-05-01.\nDo not miss: The tiles.\nThere is no folder to keep the plan in.",
    );
  });

  test("wizard: fails with Cancelled when the user leaves", async () => {
    const layers = Layer.merge(layerElicitation({ "size:1": cancel }), layerFlow());
    const error = await Effect.runPromise(Effect.flip(Effect.provide(run(wizard.handle({})), layers)));
    assertEquals(error._tag, "Cancelled");
  });

  test("sum: comes to the same sum in one go as in rounds", async () => {
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    assertEquals(await Effect.runPromise(Effect.provide(run(sum.handle({ numbers })), layerFlow())), "The sum is 780.");
  });

  test("connect: waits for the page in the time of the test", async () => {
    let looked = 0;
    const accounts = Layer.succeed(Accounts, {
      begin: () => Effect.void,
      finish: () => Effect.succeed(true),
      connected: () => Effect.sync(() => ++looked < 5 ? Option.none() : Option.some("shop/ada")),
    });
    const layers = Layer.mergeAll(
      accounts,
      layerElicitation({ account: accept() }),
      layerFlow({ principal: Auth.principal("ada") }),
      TestClock.layer(),
    );
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(run(connect.handle({})));
      yield* TestClock.adjust("10 seconds");
      return fiber.pollUnsafe();
    });
    const exit = await Effect.runPromise(Effect.provide(program, layers));
    assertEquals(exit?._tag === "Success" && exit.value, "shop/ada is connected for ada.");
    assertEquals(looked, 5);
  });
});
