/** People at official clients of both eras, which start a server as hosts do. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Answers } from "./answering.ts";
import type { Asked, Reply } from "./client.ts";
import { connectNew, connectOld, type Host, type Program } from "./stdio_clients.ts";

const accept = (content: Record<string, string | number | boolean | Array<string>>): Reply => ({
  action: "accept",
  content,
});

/** Somebody who takes all there is, and changes the pizza once. */
export const person = (name: string): Answers => {
  let reviews = 0;
  return {
    elicit: ({ message = "" }: Asked["params"]): Reply => {
      if (message === "What is your name?") return accept({ name });
      if (message.startsWith("Refund")) return accept({ ok: true });
      if (message.startsWith("How did we do")) return accept({ rating: 5 });
      if (message.startsWith("When do you travel")) return accept({ from: "2026-08-01", days: 3 });
      if (message === "Which size?") return accept({ choice: reviews === 0 ? "small" : "large" });
      if (message.startsWith("What do you want")) return accept({ choice: ["olives"] });
      if (message.includes("shall we bake it")) return accept({ choice: reviews++ === 0 ? "change" : "bake" });
      throw new Error(`Unforeseen question: ${message}`);
    },
    sample: `The bridges, ${name}`,
    roots: [{ uri: `file:///${name}`, name: `plans of ${name}` }],
  };
};

/** All flows of the examples, several at a time on the one channel. */
export const complete = async (host: Host, name: string): Promise<void> => {
  assertEquals(await host.tools(), ["whoami", "refund", "trip", "wizard", "sum"]);
  const numbers = Array.from({ length: 23 }, (_, index) => index);
  const [whoami, refund, trip, wizard, sum] = await Promise.all([
    host.call("whoami"),
    host.call("refund", { order: "A-1", amount: 10 }),
    host.call("trip", { city: "Porto" }),
    host.call("wizard"),
    host.call("sum", { numbers }),
  ]);
  assertEquals(whoami, `Hello, ${name}!`);
  assertStringIncludes(refund!, "is on its way. Thank you for the 5!");
  assertEquals(
    trip,
    `3 days in Porto, from 2026-08-01.\nDo not miss: The bridges, ${name}\nThe plan belongs into plans of ${name}.`,
  );
  assertEquals(wizard, "Baking a large pizza with olives.");
  assertEquals(sum, "The sum is 253.");
  // One for the name, two for the refund, three for the trip, six for the pizza; none twice
  assertEquals(host.asked.length, 12);
};

/** A client: its name, the revision that it speaks, and how it starts a server. */
export type Client = readonly [
  name: string,
  revision: string,
  connect: (program: Program, answers: Answers) => Promise<Host>,
];

/** The official clients, in all ways in which they find out what a server speaks. */
export const clients: ReadonlyArray<Client> = [
  ["client 2.x, pinned", "2026-07-28", (program, answers) => connectNew(program, answers, { pin: "2026-07-28" })],
  ["client 2.x, which probes", "2026-07-28", (program, answers) => connectNew(program, answers, "auto")],
  ["client 2.x, as it is by default", "2025-11-25", (program, answers) => connectNew(program, answers, "legacy")],
  ["sdk 1.x", "2025-11-25", connectOld],
];
