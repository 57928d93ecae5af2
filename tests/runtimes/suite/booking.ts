/** A service outside of the servers: it books once for each step of each flow, whoever asks how often. */

/** The service. */
export interface Booking {
  readonly url: string;
  /** Every request for a flow, repeated ones included. */
  readonly calls: () => number;
  /** What was booked, by name; two numbers under one name where something went wrong. */
  readonly booked: () => ReadonlyMap<string, ReadonlyArray<string>>;
  /** From now on requests wait, after they were booked, until the function that is returned is called. */
  readonly hold: () => () => void;
  /** Waits until `count` requests came. */
  readonly until: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the service on a free port; it takes `millis` for a booking. */
export const open = (millis: number): Booking => {
  const numbers = new Map<string, string>();
  const booked = new Map<string, Array<string>>();
  let calls = 0;
  let held: Promise<void> | undefined;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { flow, name, step } = await request.json();
    calls++;
    const key = `${flow} ${step}`;
    const known = numbers.get(key);
    const number = known ?? `B${numbers.size + 1}`;
    if (known === undefined) {
      numbers.set(key, number);
      booked.set(name, [...booked.get(name) ?? [], number]);
    }
    await new Promise((resolve) => setTimeout(resolve, millis));
    await held;
    return new Response(number);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    calls: () => calls,
    booked: () => booked,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    until: async (count) => {
      for (let turns = 0; calls < count; turns++) {
        if (turns > 2_000) throw new Error(`There were ${calls} requests`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    close: () => server.shutdown(),
  };
};
