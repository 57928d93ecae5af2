/** Many clients at once, each with answers of its own: every message reaches the one that it is for. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { after, before, describe, test } from "node:test";
import { serve, type Server } from "../process.ts";
import { type Asked, call, connect, type Reply } from "./client.ts";

const clients = 50;

describe(`${clients} clients in parallel`, () => {
  let server: Server;

  before(async () => {
    server = await serve("examples/main.ts");
  });

  after(() => server?.stop());

  /** One client: four flows, of which two at once; answers carry its number. */
  const use = async (number: number): Promise<void> => {
    const asked: Array<string> = [];
    const elicit = async ({ message }: Asked["params"]): Promise<Reply> => {
      asked.push(message!);
      await new Promise((resolve) => setTimeout(resolve, (number * 7) % 20));
      if (message === "What is your name?") return { action: "accept", content: { name: `client ${number}` } };
      if (message!.startsWith("Refund")) return { action: "accept", content: { ok: number % 2 === 0 } };
      if (message!.startsWith("How did")) return { action: "accept", content: { rating: 1 + number % 5 } };
      return { action: "accept", content: { from: "2026-08-01", days: 1 + number % 30 } };
    };
    const connected = await connect(server.url, { elicit, sample: () => `sight ${number}`, roots: [] });
    const order = { order: `order-${number}`, amount: number };

    const [name, refund] = await Promise.all([call(connected, "whoami"), call(connected, "refund", order)]);
    assertEquals(name, `Hello, client ${number}!`);
    if (number % 2 === 0) {
      assertStringIncludes(refund, `over ${number} is on its way. Thank you for the ${1 + number % 5}!`);
    } else assertEquals(refund, "Nothing was refunded.");

    const trip = await call(connected, "trip", { city: `city-${number}` });
    assertStringIncludes(trip, `${1 + number % 30} days in city-${number}`);
    assertStringIncludes(trip, `sight ${number}`);

    const numbers = Array.from({ length: 12 }, () => number);
    assertEquals(await call(connected, "sum", { numbers }), `The sum is ${12 * number}.`);

    const own = new Set([
      "What is your name?",
      `Refund ${number} for order order-${number}?`,
      "How did we do, from 1 to 5?",
      `When do you travel to city-${number}?`,
    ]);
    assertEquals(asked.filter((message) => !own.has(message)), []);
    await connected.client.close();
  };

  test("flows: no message is crossed", async () => {
    await Promise.all(Array.from({ length: clients }, (_, number) => use(number + 1)));
  });
});
