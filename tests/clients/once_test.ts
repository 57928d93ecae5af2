/** A step that moves money runs once in a flow over HTTP, whatever the client does between its rounds. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { after, before, describe, test } from "node:test";
import * as Native from "../native.ts";
import { server, Shop } from "../../examples/shop.ts";
import { call, connect, type Reply } from "./client.ts";

/** What the counting shop was told to do. It dedupes nothing by itself. */
const refunds: Array<string> = [];
const ratings: Array<string> = [];

const counting: Layer.Layer<Shop> = Layer.succeed(Shop, {
  refund: (_reference, order, amount) =>
    Effect.sync(() => {
      refunds.push(order);
      return { id: `R-${order}`, order, amount };
    }),
  saveRating: (order, rating) => Effect.sync(() => void ratings.push(`${order}:${rating}`)),
  ledger: Effect.succeed([]),
});

describe("once and onCommit over HTTP", () => {
  let scope: Scope.Closeable;
  let url: URL;

  before(async () => {
    scope = await Effect.runPromise(Scope.make());
    const layer = Native.layer(server, { port: 0 }).pipe(Layer.provide(counting));
    const context = await Effect.runPromise(Layer.buildWithScope(layer, scope));
    url = new URL(Context.get(context, Native.Listening).url);
  });

  after(() => Effect.runPromise(Scope.close(scope, Exit.void)));

  const forms = (rating: () => Reply) => (params: { readonly message?: string }): Reply =>
    params.message!.startsWith("Refund") ? { action: "accept", content: { ok: true } } : rating();

  test("once: the refund service runs once though the handler runs three times", async () => {
    const connected = await connect(url, { elicit: forms(() => ({ action: "accept", content: { rating: 4 } })) });
    const text = await call(connected, "refund", { order: "three-rounds", amount: 1 });
    assertStringIncludes(text, "R-three-rounds");
    assertEquals(refunds.filter((order) => order === "three-rounds").length, 1);
    assertEquals(ratings.filter((entry) => entry === "three-rounds:4").length, 1);
    await connected.client.close();
  });

  test("once: the refund service runs once though an invalid answer adds a round", async () => {
    let turn = 0;
    const elicit = forms(() => ({ action: "accept", content: { rating: turn++ === 0 ? 9 : 2 } }));
    const connected = await connect(url, { elicit });
    await call(connected, "refund", { order: "four-rounds", amount: 1 });
    assertEquals(connected.asked.length, 3);
    assertEquals(refunds.filter((order) => order === "four-rounds").length, 1);
    await connected.client.close();
  });

  test("onCommit: nothing is committed when the call ends in an error", async () => {
    const connected = await connect(url, { elicit: forms(() => ({ action: "decline" })) });
    assertStringIncludes(await call(connected, "refund", { order: "declined", amount: 1 }), "error: ");
    assertEquals(refunds.filter((order) => order === "declined").length, 1);
    assertEquals(ratings.filter((entry) => entry.startsWith("declined")), []);
    await connected.client.close();
  });
});
