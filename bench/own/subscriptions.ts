/** A change that a thousand open subscriptions are told of. */
import * as Effect from "effect/Effect";
import { Catalog, McpServer, Resource, Tool } from "@needful/mcp";
import { type Contestant, exchange, post, requestOf, toolCall } from "../contestant.ts";
import { services } from "../contestants/needful.ts";
import { alone, type Table } from "../figures.ts";
import { inTurns } from "../measure.ts";

const uri = "bench://changing";

const server = McpServer.make({
  name: "bench",
  version: "1.0.0",
  tools: [Tool.make("change", {
    description: "Changes the resource",
    handler: () => Effect.as(Catalog.resourceUpdated(uri), "changed"),
  })],
  resources: [Resource.make(uri, { name: "changing", handler: () => Effect.succeed("text") })],
});

const decoder = new TextDecoder();

/** A subscription to the resource: waits for the next event that contains `what`. */
const subscribe = async (fetch: Contestant["fetch"]): Promise<(what: string) => Promise<void>> => {
  const response = await fetch(
    requestOf(post("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } })),
  );
  const reader = response.body!.getReader();
  return async (what) => {
    while (true) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The subscription ended");
      if (decoder.decode(value).includes(what)) return;
    }
  };
};

const subscriptions = 1_000;

/** Milliseconds from a change until all of 1,000 subscriptions have been told. */
export const measureSubscriptions = async (repeats: number): Promise<Table> => {
  const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true });
  const contestant: Contestant = { name: `needful, ${subscriptions} subscriptions`, fetch, close: dispose };
  const open = await Promise.all(Array.from({ length: subscriptions }, () => subscribe(fetch)));
  await Promise.all(open.map((next) => next("acknowledged")));
  const change = async (): Promise<number> => {
    const start = performance.now();
    const told = Promise.all(open.map((next) => next("resources/updated")));
    await exchange(contestant, toolCall("change", {}));
    await told;
    return performance.now() - start;
  };
  for (let i = 0; i < 10; i++) await change();
  const times = await inTurns([contestant], repeats, change);
  await contestant.close();
  return alone("k", "one change, until all are told", "ms", times);
};
