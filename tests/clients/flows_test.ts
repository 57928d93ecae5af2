/** The official client completes the flows of `examples/main.ts`, and ends them as DESIGN, section 3, says. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { after, before, describe, test } from "node:test";
import { serve, type Server } from "../process.ts";
import { type Answers, type Asked, call, connect, type Reply } from "./client.ts";

const accept = (content: Reply & { action: "accept" } extends { content?: infer C } ? C : never): Reply => ({
  action: "accept",
  content,
});

/** Answers forms by the beginning of their message; fails on a form that was not foreseen. */
const script = (replies: { readonly [message: string]: Reply }) => (params: Asked["params"]): Reply => {
  const found = Object.entries(replies).find(([message]) => params.message!.startsWith(message));
  if (found === undefined) throw new Error(`Unforeseen question: ${params.message}`);
  return found[1];
};

const messages = (asked: ReadonlyArray<Asked>) => asked.map(({ method, params }) => params?.message ?? method);

describe("examples through the official client", () => {
  let server: Server;

  before(async () => {
    server = await serve("examples/main.ts");
  });

  after(() => server?.stop());

  /** Calls a tool with a client of its own; gives what it said and what it asked. */
  const use = async (answers: Answers, name: string, args: Record<string, unknown> = {}) => {
    const connected = await connect(server.url, answers);
    try {
      return { text: await call(connected, name, args), asked: messages(connected.asked) };
    } finally {
      await connected.client.close();
    }
  };

  test("connect: speaks 2026-07-28", async () => {
    const { client } = await connect(server.url);
    assertEquals(client.getProtocolEra(), "modern");
    assertEquals(client.getNegotiatedProtocolVersion(), "2026-07-28");
    await client.close();
  });

  test("whoami: greets by the answered name", async () => {
    const elicit = script({ "What is your name?": accept({ name: "Ada" }) });
    assertEquals(await use({ elicit }, "whoami"), { text: "Hello, Ada!", asked: ["What is your name?"] });
  });

  test("whoami: an invalid answer is asked again, with the reason before the message", async () => {
    let turn = 0;
    const elicit = () => accept({ name: turn++ === 0 ? "" : "Ada" });
    const { asked, text } = await use({ elicit }, "whoami");
    assertEquals(text, "Hello, Ada!");
    assertEquals(asked.length, 2);
    assertStringIncludes(asked[1]!, "name");
    assertEquals(asked[1]!.endsWith("What is your name?"), true);
  });

  for (const action of ["decline", "cancel"] as const) {
    test(`whoami: ${action} ends the call with an error that says what was asked, and is not asked again`, async () => {
      const { asked, text } = await use({ elicit: () => ({ action }) }, "whoami");
      assertStringIncludes(text, "error: ");
      assertStringIncludes(text, action === "decline" ? "declined" : "cancelled");
      assertStringIncludes(text, "username");
      assertEquals(asked, ["What is your name?"]);
    });
  }

  test("whoami: a client that cannot be asked gets -32021 with all that is missing", async () => {
    const { client } = await connect(server.url);
    const error = await client.callTool({ name: "whoami", arguments: {} }).then(() => undefined, (error) => error);
    assertEquals(error.code, -32021);
    assertEquals(error.data, { requiredCapabilities: { elicitation: { form: {} } } });
    await client.close();
  });

  const order = { order: "A-1", amount: 10 };

  test("shop: refunds after a yes and takes the rating", async () => {
    const elicit = script({ "Refund 10": accept({ ok: true }), "How did we do": accept({ rating: 5 }) });
    const { asked, text } = await use({ elicit }, "refund", order);
    assertStringIncludes(text, "is on its way. Thank you for the 5!");
    assertEquals(asked, ["Refund 10 for order A-1?", "How did we do, from 1 to 5?"]);
  });

  const noes: ReadonlyArray<[string, Reply]> = [
    ["ok: false", accept({ ok: false })],
    ["decline", { action: "decline" }],
    ["cancel", { action: "cancel" }],
  ];
  for (const [name, reply] of noes) {
    test(`shop: ${name} refunds nothing`, async () => {
      const { asked, text } = await use({ elicit: () => reply }, "refund", order);
      assertEquals(text, "Nothing was refunded.");
      assertEquals(asked, ["Refund 10 for order A-1?"]);
    });
  }

  test("shop: the service's own error reaches the client as the author worded it", async () => {
    const elicit = script({ "Refund 2000": accept({ ok: true }) });
    const { text } = await use({ elicit }, "refund", { ...order, amount: 2000 });
    assertEquals(text, "error: The refund failed: more than 1000 at once");
  });

  test("trip: form, model and roots are asked in one round trip", async () => {
    const connected = await connect(server.url, {
      elicit: () => accept({ from: "2026-08-01", days: 3 }),
      sample: () => "The bridges",
      roots: [{ uri: "file:///plans", name: "plans" }],
    }, { inputRequired: { maxRounds: 1 } });
    assertEquals(
      await call(connected, "trip", { city: "Porto" }),
      "3 days in Porto, from 2026-08-01.\nDo not miss: The bridges\nThe plan belongs into plans.",
    );
    assertEquals(connected.asked.map(({ method }) => method).sort(), [
      "elicitation/create",
      "roots/list",
      "sampling/createMessage",
    ]);
    await connected.client.close();
  });

  test("trip: a client without roots is not asked for them", async () => {
    const elicit = () => accept({ from: "2026-08-01", days: 3 });
    const { asked, text } = await use({ elicit, sample: () => "The bridges" }, "trip", { city: "Porto" });
    assertStringIncludes(text, "There is no folder to keep the plan in.");
    assertEquals(asked.length, 2);
  });

  test("wizard: starts over with the answers so far as defaults", async () => {
    const defaults: Array<unknown> = [];
    let reviews = 0;
    const elicit = (params: Asked["params"]): Reply => {
      const field = params.requestedSchema!.properties["choice"] as { readonly default?: unknown };
      defaults.push(field.default);
      if (params.message === "Which size?") return accept({ choice: "large" });
      if (params.message!.startsWith("What do you want")) return accept({ choice: ["olives", "onions"] });
      return accept({ choice: reviews++ === 0 ? "change" : "bake" });
    };
    const { asked, text } = await use({ elicit }, "wizard");
    assertEquals(text, "Baking a large pizza with olives, onions.");
    assertEquals(asked.length, 6);
    assertEquals(defaults, ["medium", [], undefined, "large", ["olives", "onions"], undefined]);
  });

  test("sum: goes through rounds of state alone, without a question", async () => {
    const numbers = Array.from({ length: 23 }, (_, index) => index);
    assertEquals(await use({}, "sum", { numbers }), { text: "The sum is 253.", asked: [] });
  });

  /** Fills in the page that `connect` sends its users to. */
  const fill = async (url: string, user: string, passphrase: string): Promise<number> => {
    const body = new URLSearchParams({ user, passphrase, account: "ada@example.com" });
    const response = await fetch(url, { method: "POST", body });
    await response.body?.cancel();
    return response.status;
  };

  test("connect: is done when the user has finished the page, which the client never sees", async () => {
    const connected = await connect(
      server.url,
      {
        elicit: async ({ mode, url }) => {
          assertEquals(mode, "url");
          assertEquals(await fill(url!, "bob", "stepped reckoner"), 403);
          assertEquals(await fill(url!, "ada", "difference engine"), 200);
          return { action: "accept" };
        },
      },
      {},
      "ada-token",
    );
    assertEquals(await call(connected, "connect"), "ada@example.com is connected for ada.");
    assertEquals(connected.asked.length, 1);
    await connected.client.close();
  });

  test("connect: an accept before the page is finished is not asked again, the client comes back with the state", async () => {
    const visits: Array<Promise<number>> = [];
    const elicit = ({ url }: Asked["params"]): Reply => {
      const later = new Promise((resolve) => setTimeout(resolve, 300));
      visits.push(later.then(() => fill(url!, "ada", "difference engine")));
      return { action: "accept" };
    };
    const connected = await connect(server.url, { elicit }, {}, "ada-token");
    assertEquals(await call(connected, "connect"), "ada@example.com is connected for ada.");
    assertEquals(await Promise.all(visits), [200]);
    await connected.client.close();
  });

  test("connect: a decline ends the call; a stranger has no accounts", async () => {
    const connected = await connect(server.url, { elicit: () => ({ action: "decline" }) }, {}, "ada-token");
    assertStringIncludes(await call(connected, "connect"), "declined");
    await connected.client.close();
    assertStringIncludes((await use({ elicit: () => ({ action: "decline" }) }, "connect")).text, "Only known users");
  });
});
