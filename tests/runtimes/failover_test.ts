/** One flow on three runtimes, which share a secret and nothing else (DESIGN.md, section 5, "Replay" and "Once"). */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { asks, call, FORM, M, type Reply, reply, text } from "../cases/wire.ts";
import * as Booking from "./suite/booking.ts";
import * as Proxy from "./suite/proxy.ts";
import { type Host, type Runtime, runtimes, start } from "./suite/runtimes.ts";

const [deno, bun, node] = ["Deno 2.9", "Bun 1.4", "Node 22"].map((name) =>
  runtimes.find((runtime) => runtime.name === name)!
) as [Runtime, Runtime, Runtime];

const portOf = ({ url }: Host): number => Number(url.port);

/** What a user says. */
const answers = (name: string): Record<string, unknown> => ({
  who: { action: "accept", content: { name } },
  keep: { action: "accept", content: { ok: true } },
});

interface Client {
  /** One round. A request whose connection drops is repeated, as it was, until there is a reply. */
  readonly round: (url: string, more?: object) => Promise<Reply>;
  /** Requests that were sent again. */
  readonly repeated: () => number;
  readonly close: () => void;
}

const makeClient = (): Client => {
  // A connection for each request, so that the proxy decides about each
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  let repeated = 0;
  return {
    repeated: () => repeated,
    close: () => client.close(),
    round: async (url, more = {}) => {
      const message = M(call("book", {}, FORM, more as never));
      for (let tries = 0; tries < 100; tries++) {
        const whole = await fetch(url, { method: "POST", ...message, client }).then(reply).catch(() => undefined);
        if (whole !== undefined) return whole;
        repeated++;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error("There was no reply to 100 requests");
    },
  };
};

/** A client's part of a whole flow; `between` runs before each retry. */
const play = async (
  { round }: Client,
  url: string,
  name: string,
  between: (round: number) => Promise<void> = () => Promise.resolve(),
): Promise<string | undefined> => {
  let last = await round(url);
  for (const [number, key] of ["who", "keep"].entries()) {
    const { state } = asks(last, key);
    await between(number + 2);
    last = await round(url, { requestState: state, inputResponses: { [key]: answers(name)[key] } });
  }
  return text(last);
};

/** Three servers behind a proxy, in this order. */
const behind = async (
  order: ReadonlyArray<Runtime>,
  use: (setting: {
    readonly booking: Booking.Booking;
    readonly client: Client;
    readonly hosts: Array<Host>;
    readonly proxy: Proxy.Proxy;
  }) => Promise<void>,
): Promise<void> => {
  const booking = Booking.open(10);
  const proxy = await Proxy.open();
  const client = makeClient();
  const hosts = await Promise.all(order.map((runtime) => start(runtime, { booking: booking.url })));
  proxy.servers.push(...hosts.map(portOf));
  try {
    await use({ booking, client, hosts, proxy });
  } finally {
    for (const host of hosts) host.kill("SIGKILL");
    await Promise.all(hosts.map(({ ended }) => ended));
    client.close();
    proxy.close();
    await booking.close();
  }
};

describe("one flow on three runtimes", () => {
  for (const order of [[deno, bun, node], [bun, node, deno], [node, deno, bun]]) {
    const names = order.map(({ name }) => name).join(", then ");
    test(`rounds: are answered by ${names}; what was begun on one is finished on another`, () =>
      behind(order, async ({ booking, client, proxy }) => {
        assertEquals(await play(client, proxy.url, "Ada"), "Ada has B1");
        assertEquals([booking.calls(), client.repeated()], [1, 0]);
      }));
  }

  test("once: ran once where each process was killed between the rounds", () =>
    behind([deno, bun, node], async ({ booking, client, hosts, proxy }) => {
      const killed = async (round: number): Promise<void> => {
        hosts[round - 2]!.kill("SIGKILL");
        await hosts[round - 2]!.ended;
        proxy.servers[round - 2] = undefined;
      };
      assertEquals(await play(client, proxy.url, "Ada", killed), "Ada has B1");
      assertEquals([booking.calls(), client.repeated()], [1, 0]);
    }));

  for (const order of [[deno, bun, node], [bun, node, deno], [node, deno, bun]]) {
    test(`once: a service that dedupes books once where ${order[1]!.name} was killed inside of the round`, () =>
      behind(order, async ({ booking, client, hosts, proxy }) => {
        const kill = async (): Promise<void> => {
          const release = booking.hold();
          await booking.until(1);
          hosts[1]!.kill("SIGKILL");
          await hosts[1]!.ended;
          release();
        };
        let killing: Promise<void> | undefined;
        const between = (round: number): Promise<void> => {
          if (round === 2) killing = kill();
          return Promise.resolve();
        };
        assertEquals(await play(client, proxy.url, "Ada", between), "Ada has B1");
        await killing;
        assertEquals([booking.calls(), booking.booked().get("Ada")], [2, ["B1"]]);
        assert(client.repeated() > 0, "The client saw nothing of it");
      }));
  }

  test("flows: 500 at once end right while processes are killed and started again at random", () =>
    behind([deno, bun, node], async ({ booking, client, hosts, proxy }) => {
      const order = [deno, bun, node];
      const pause = (most: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * most));
      let going = true;
      let kills = 0;
      const havoc = async (): Promise<void> => {
        while (going) {
          await pause(400);
          const place = Math.floor(Math.random() * order.length);
          hosts[place]!.kill("SIGKILL");
          await hosts[place]!.ended;
          kills++;
          hosts[place] = await start(order[place]!, { booking: booking.url });
          proxy.servers[place] = portOf(hosts[place]!);
        }
      };
      const havocs = havoc();
      const flows = Array.from({ length: 500 }, async (_, i) => {
        await pause(4_000);
        return await play(client, proxy.url, `user ${i}`, () => pause(2_000));
      });
      const ended = await Promise.all(flows).finally(() => going = false);
      await havocs;
      const booked = booking.booked();
      assertEquals([...booked.values()].filter((numbers) => numbers.length !== 1), []);
      assertEquals(ended, Array.from({ length: 500 }, (_, i) => `user ${i} has ${booked.get(`user ${i}`)}`));
      assert(kills >= 3 && client.repeated() > 0, `${kills} kills, ${client.repeated()} repeated requests`);
    }));
});
