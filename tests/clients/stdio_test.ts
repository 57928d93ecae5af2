/** The official clients launch `examples/stdio.ts` as hosts do, and complete its flows in both eras. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { describe, test } from "node:test";
import type { Asked, Reply } from "./client.ts";
import { type Answers, connectNew, connectOld, type Host } from "./stdio_clients.ts";

const file = "examples/stdio.ts";

const accept = (content: Record<string, string | number | boolean | Array<string>>): Reply => ({
  action: "accept",
  content,
});

/** Somebody who takes all there is, and changes the pizza once. */
const person = (name: string): Answers => {
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

/** Whether a process of this id exists. */
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** All flows of the examples, several at a time on the one channel. */
const complete = async (host: Host, name: string): Promise<void> => {
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

type Connect = (file: string, answers: Answers) => Promise<Host>;

const clients: ReadonlyArray<readonly [string, string, Connect]> = [
  ["client 2.x, pinned", "2026-07-28", (file, answers) => connectNew(file, answers, { pin: "2026-07-28" })],
  ["client 2.x, which probes", "2026-07-28", (file, answers) => connectNew(file, answers, "auto")],
  ["client 2.x, as it is by default", "2025-11-25", (file, answers) => connectNew(file, answers, "legacy")],
  ["sdk 1.x", "2025-11-25", connectOld],
];

describe("hosts", () => {
  for (const [client, revision, connect] of clients) {
    test(`layerStdio: completes all examples with ${client}, and ends when the host closes`, async () => {
      const host = await connect(file, person("Ada"));
      try {
        assertEquals(host.revision, revision);
        await complete(host, "Ada");
      } finally {
        await host.close();
      }
      assertEquals(alive(host.pid), false);
    });

    test(`layerStdio: ends calls as declines and cancels say with ${client}`, async () => {
      for (const action of ["decline", "cancel"] as const) {
        const host = await connect(file, { ...person("Ada"), elicit: () => ({ action }) });
        try {
          assertEquals(await host.call("refund", { order: "A-1", amount: 10 }), "Nothing was refunded.");
          const text = await host.call("whoami");
          assertStringIncludes(text, "error: ");
          assertStringIncludes(text, action === "decline" ? "declined" : "cancelled");
          assertEquals(host.asked.length, 2);
        } finally {
          await host.close();
        }
      }
    });
  }

  for (const [client, , connect] of clients) {
    test(`layerStdio: sends the user to a page that is served beside, with ${client}`, async () => {
      const fill = async (url: string, user: string, passphrase: string): Promise<number> => {
        const body = new URLSearchParams({ user, passphrase, account: "ada@example.com" });
        const response = await fetch(url, { method: "POST", body });
        await response.body?.cancel();
        return response.status;
      };
      const host = await connect("--allow-net=127.0.0.1 examples/stdio_connect.ts", {
        ...person("Ada"),
        elicit: async ({ mode, url = "" }) => {
          assertEquals(mode, "url");
          assertEquals(await fill(url, "bob", "stepped reckoner"), 403);
          assertEquals(await fill(url, "ada", "difference engine"), 200);
          return { action: "accept" };
        },
      });
      try {
        assertEquals(await host.call("connect"), "ada@example.com is connected for ada.");
        assertEquals(host.asked, ["elicitation/create"]);
      } finally {
        await host.close();
      }
      assertEquals(alive(host.pid), false);
    });
  }

  test("layerStdio: keeps many hosts apart, each with a process of its own", async () => {
    const hosts = await Promise.all(clients.map(async ([, , connect], index) => {
      const name = `user ${index}`;
      return [name, await connect(file, person(name))] as const;
    }));
    try {
      await Promise.all(hosts.map(([name, host]) => complete(host, name)));
    } finally {
      await Promise.all(hosts.map(([, host]) => host.close()));
    }
  });
});
