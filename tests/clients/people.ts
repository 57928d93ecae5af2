/** People at official clients of both eras, over HTTP. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Answers } from "./answering.ts";
import type { Asked, Reply } from "./client.ts";
import { connectNew, connectOld, type Host } from "./http_clients.ts";

/** A client: its name, the revision that it speaks, and how it connects. */
export type Kind = readonly [
  name: string,
  revision: string,
  connect: (url: URL, answers: Answers, token: string) => Promise<Host>,
];

/** The official clients, of both eras. */
export const kinds: ReadonlyArray<Kind> = [
  ["sdk 1.x", "2025-11-25", connectOld],
  ["client 2.x, legacy", "2025-11-25", (url, answers, token) => connectNew(url, answers, "legacy", token)],
  ["client 2.x, modern", "2026-07-28", (url, answers, token) => connectNew(url, answers, "auto", token)],
];

const users = [
  { name: "ada", token: "ada-token", passphrase: "difference engine" },
  { name: "bob", token: "bob-token", passphrase: "stepped reckoner" },
] as const;

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Somebody with a number, which all their answers carry, and who takes their time. */
const person = (number: number): { readonly answers: Answers; readonly asked: ReadonlyArray<string> } => {
  const { name, passphrase } = users[number % 2]!;
  const asked: Array<string> = [];
  let reviews = 0;
  const accept = (content: Extract<Reply, { action: "accept" }>["content"]): Reply =>
    content === undefined ? { action: "accept" } : { action: "accept", content };
  const elicit = async ({ message = "", url }: Asked["params"]): Promise<Reply> => {
    asked.push(message);
    await later((number * 7) % 20);
    if (message === "What is your name?") return accept({ name: `client ${number}` });
    if (message.startsWith("Refund")) return accept({ ok: number % 3 > 0 });
    if (message.startsWith("How did we do")) return accept({ rating: 1 + number % 5 });
    if (message.startsWith("When do you travel")) return accept({ from: "2026-08-01", days: 1 + number % 30 });
    if (message === "Which size?") return accept({ choice: reviews === 0 ? "small" : "large" });
    if (message.startsWith("What do you want")) return accept({ choice: number % 2 === 0 ? ["olives"] : ["onions"] });
    if (message.includes("shall we bake it")) return accept({ choice: reviews++ === 0 ? "change" : "bake" });
    if (url === undefined) throw new Error(`Unforeseen question: ${message}`);
    const body = new URLSearchParams({ user: name, passphrase, account: `account-${number}` });
    await (await fetch(url, { method: "POST", body })).body?.cancel();
    return accept(undefined);
  };
  const roots = [{ uri: `file:///${number}`, name: `plans of ${number}` }];
  return { answers: { elicit, sample: `sight ${number}`, roots }, asked };
};

/**
 * Completes all flows of `examples/main.ts` at `url`, several at a time, as somebody with a number. `seen` are shapes of
 * messages that were checked already.
 */
export const complete = async (
  url: URL,
  [, revision, connect]: Kind,
  number: number,
  seen: Set<string>,
): Promise<void> => {
  const { answers, asked } = person(number);
  const user = users[number % 2]!;
  const host = await connect(url, answers, user.token);
  assertEquals(host.revision, revision);
  const order = { order: `order-${number}`, amount: number };
  const numbers = Array.from({ length: 12 }, () => number);
  const [whoami, refund, trip] = await Promise.all([
    host.call("whoami"),
    host.call("refund", order),
    host.call("trip", { city: `city-${number}` }),
  ]);
  const [wizard, sum, connected] = await Promise.all([
    host.call("wizard"),
    host.call("sum", { numbers }),
    host.call("connect"),
  ]);
  assertEquals(whoami, `Hello, client ${number}!`);
  if (number % 3 === 0) assertEquals(refund, "Nothing was refunded.");
  else assertStringIncludes(refund, `over ${number} is on its way. Thank you for the ${1 + number % 5}!`);
  assertEquals(
    trip,
    `${1 + number % 30} days in city-${number}, from 2026-08-01.\n` +
      `Do not miss: sight ${number}\nThe plan belongs into plans of ${number}.`,
  );
  assertEquals(wizard, `Baking a large pizza with ${number % 2 === 0 ? "olives" : "onions"}.`);
  assertEquals(sum, `The sum is ${12 * number}.`);
  assertEquals(connected, `account-${number} is connected for ${user.name}.`);
  assertEquals((await host.tools()).length, 6);
  const foreign = asked.filter((message) => /\d/.test(message) && !message.includes("from 1 to 5"))
    .filter((message) => !message.includes(`city-${number}?`) && !message.includes(`order-${number}?`));
  assertEquals(foreign, []);
  assertEquals(asked.length, 10 + (number % 3 === 0 ? 0 : 1));
  await host.close();
  assertEquals(host.errors, []);
  assert(host.record.received.length > 10);
  assertEquals(await host.record.faults(revision, seen), []);
};
