/**
 * Money moves once, and only after a yes: `confirm` fails closed, `once` remembers its result through all later rounds,
 * and `onCommit` waits for the end.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/shop.ts
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Ref from "effect/Ref";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

export interface Receipt {
  readonly id: string;
  readonly order: string;
  readonly amount: number;
}
export const Receipt: Schema.Codec<Receipt> = Schema.Struct({
  id: Schema.String,
  order: Schema.String,
  amount: Schema.Finite,
});

export interface RefundError {
  readonly reason: string;
}
export const RefundError: Schema.Codec<RefundError> = Schema.Struct({ reason: Schema.String });

/** What the shop wrote down, in order. */
export type Entry =
  | { readonly type: "refund"; readonly order: string; readonly amount: number }
  | { readonly type: "rating"; readonly order: string; readonly rating: number };

/** The shop behind the tool: an ordinary service, which knows nothing of clients and rounds. */
export interface Shop {
  /** The same `reference` is refunded only once, whatever happens between the two. */
  readonly refund: (reference: string, order: string, amount: number) => Effect.Effect<Receipt, RefundError>;
  readonly saveRating: (order: string, rating: number) => Effect.Effect<void>;
  readonly ledger: Effect.Effect<ReadonlyArray<Entry>>;
}
export const Shop: Context.Service<Shop, Shop> = Context.Service<Shop>("examples/Shop");

/** A shop that lives in memory. */
export const layer: Layer.Layer<Shop> = Layer.effect(
  Shop,
  Effect.gen(function* () {
    const entries = yield* Ref.make<ReadonlyArray<Entry>>([]);
    const receipts = new Map<string, Receipt>();
    const write = (entry: Entry) => Ref.update(entries, (list) => [...list, entry]);
    return {
      refund: Effect.fn(function* (reference, order, amount) {
        const known = receipts.get(reference);
        if (known !== undefined) return known;
        if (amount > 1000) return yield* Effect.fail({ reason: "more than 1000 at once" });
        const receipt = { id: `R-${receipts.size + 1}`, order, amount };
        receipts.set(reference, receipt);
        yield* write({ type: "refund", order, amount });
        return receipt;
      }),
      saveRating: (order, rating) => write({ type: "rating", order, rating }),
      ledger: Ref.get(entries),
    };
  }),
);

const Rating = Schema.Struct({ rating: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })) });

export const refund: Tool.Tool<Shop | Need.Elicitation | Need.Flow> = Tool.make("refund", {
  description: "Refunds an order, after asking the customer",
  input: Schema.Struct({ order: Schema.String, amount: Schema.Finite }),
  handler: Effect.fn(function* ({ order, amount }) {
    const shop = yield* Shop;
    const { id } = yield* Need.flow;

    const sure = yield* Need.confirm("sure", `Refund ${amount} for order ${order}?`);
    if (!sure) return "Nothing was refunded.";

    const receipt = yield* Need.once("refund", shop.refund(id, order, amount), {
      success: Receipt,
      failure: RefundError,
    }).pipe(Effect.mapError(Tool.failWith((error) => `The refund failed: ${error.reason}`)));

    const { rating } = yield* Need.elicit("rating", { message: "How did we do, from 1 to 5?", schema: Rating });
    yield* Need.onCommit(shop.saveRating(order, rating));
    return `Refund ${receipt.id} over ${receipt.amount} is on its way. Thank you for the ${rating}!`;
  }),
});

export const server: McpServer.McpServer<Shop> = McpServer.make({ name: "shop", version: "1.0.0", tools: [refund] });

if (import.meta.main) serve(server, layer);
