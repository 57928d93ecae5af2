/** The examples of the returning style and their twins that ask: the same with the official clients, in both eras. */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { assertEquals } from "@std/assert";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { program, serve, type Server } from "../process.ts";
import { type Asked, type Reply, said } from "./client.ts";

const accept = (content: Record<string, string | number | boolean | Array<string>>): Reply => ({
  action: "accept",
  content,
});
const decline: Reply = { action: "decline" };
const cancel: Reply = { action: "cancel" };

/** What a user says, by how a message begins, in order; the last reply goes on for ever. */
type Says = { readonly [message: string]: ReadonlyArray<Reply> };

/** A user who says that, and keeps what was asked. */
class User {
  readonly asked: Array<string> = [];
  readonly #says: Says;
  readonly #said = new Map<string, number>();

  constructor(says: Says) {
    this.#says = says;
  }

  reply({ message = "" }: Asked["params"]): Reply {
    // What was wrong with the answer before stands in front of the message
    const own = message.slice(message.lastIndexOf("\n\n") + 1).trim();
    this.asked.push(own);
    const [begins, replies] = Object.entries(this.#says).find(([begins]) => own.startsWith(begins)) ?? [];
    if (begins === undefined || replies === undefined) throw new Error(`Unforeseen question: ${message}`);
    const turn = this.#said.get(begins) ?? 0;
    this.#said.set(begins, turn + 1);
    return replies[Math.min(turn, replies.length - 1)]!;
  }
}

/** Who sits at the client. */
interface Seat {
  user: User;
}

/** A connected client. */
interface Connection {
  readonly call: (name: string, args: Record<string, unknown>) => Promise<string>;
  readonly close: () => Promise<void>;
}

type Connect = (seat: Seat, url: URL) => Promise<Connection>;

const about = { name: "test", version: "1.0.0" };
const capabilities = { elicitation: { form: {} } };
const parameters = {
  command: process.execPath,
  args: [...program("tests/clients/returning_stdio.ts")],
  cwd: fileURLToPath(new URL("../..", import.meta.url)),
  stderr: "ignore" as const,
};

const connectNew = (mode: "legacy" | { readonly pin: string }, stdio: boolean): Connect => async (seat, url) => {
  const client = new NewClient(about, { versionNegotiation: { mode }, capabilities });
  client.setRequestHandler("elicitation/create", ({ params }) => seat.user.reply(params as Asked["params"]));
  await client.connect(stdio ? new NewStdio(parameters) : new NewHttp(url));
  return {
    call: async (name, args) => said(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};

const connectOld = (stdio: boolean): Connect => async (seat, url) => {
  const client = new OldClient(about, { capabilities });
  client.setRequestHandler(
    ElicitRequestSchema,
    ({ params }: { readonly params: Asked["params"] }) => seat.user.reply(params),
  );
  await client.connect(stdio ? new OldStdio(parameters) : new OldHttp(url));
  return {
    call: async (name, args) => said(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};

const connections: ReadonlyArray<readonly [string, Connect]> = [
  ["2026-07-28 over HTTP", connectNew({ pin: "2026-07-28" }, false)],
  ["2026-07-28 over stdio", connectNew({ pin: "2026-07-28" }, true)],
  ["2025-11-25 over HTTP, client 2.x", connectNew("legacy", false)],
  ["2025-11-25 over stdio, client 2.x", connectNew("legacy", true)],
  ["2025-11-25 over HTTP, sdk 1.x", connectOld(false)],
  ["2025-11-25 over stdio, sdk 1.x", connectOld(true)],
];

const size = "Which size?";
const toppings = "What do you want";
const review = "A ";
const pizza = { [size]: [accept({ choice: "large" })], [toppings]: [accept({ choice: ["olives", "onions"] })] };

interface Scene {
  readonly name: string;
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly says: Says;
  readonly text: string;
  /** What is asked, each once unless it stands here twice. */
  readonly asked: ReadonlyArray<string>;
}

const whoami = "What is your name?";
const who = "Who shall be greeted?";
const where = "Where are they?";
const order = "A large pizza with olives, onions: shall we bake it?";
const wish = "What do you want on your large pizza?";

const scenes: ReadonlyArray<Scene> = [
  {
    name: "whoami: greets by the answered name",
    tool: "whoami",
    says: { [whoami]: [accept({ name: "Ada" })] },
    text: "Hello, Ada!",
    asked: [whoami],
  },
  {
    name: "whoami: an invalid answer is asked again",
    tool: "whoami",
    says: { [whoami]: [accept({ name: "" }), accept({ name: "Ada" })] },
    text: "Hello, Ada!",
    asked: [whoami, whoami],
  },
  {
    name: "whoami: a decline is asked once",
    tool: "whoami",
    says: { [whoami]: [decline] },
    text: 'error: The user declined "username"',
    asked: [whoami],
  },
  {
    name: "whoami: a cancel is asked once",
    tool: "whoami",
    says: { [whoami]: [cancel] },
    text: 'error: The user cancelled "username"',
    asked: [whoami],
  },
  {
    name: "greet: asks for all that is missing",
    tool: "greet",
    says: { [who]: [accept({ name: "Ada" })], [where]: [accept({ city: "Oslo" })] },
    text: "Greetings to Ada in Oslo!",
    asked: [where, who],
  },
  {
    name: "greet: asks for nothing else",
    tool: "greet",
    args: { city: "Rome" },
    says: { [who]: [accept({ name: "Ada" })] },
    text: "Greetings to Ada in Rome!",
    asked: [who],
  },
  {
    name: "greet: asks for nothing",
    tool: "greet",
    args: { name: "Ada", city: "Rome" },
    says: {},
    text: "Greetings to Ada in Rome!",
    asked: [],
  },
  {
    name: "greet: a decline is asked once",
    tool: "greet",
    args: { name: "Ada" },
    says: { [where]: [decline] },
    text: 'error: The user declined "city"',
    asked: [where],
  },
  {
    name: "greet: a decline of all is asked once",
    tool: "greet",
    says: { [who]: [decline], [where]: [decline] },
    text: 'error: The user declined "name"',
    asked: [where, who],
  },
  {
    name: "wizard: goes step by step",
    tool: "wizard",
    says: { ...pizza, [review]: [accept({ choice: "bake" })] },
    text: "Baking a large pizza with olives, onions.",
    asked: [order, wish, size],
  },
  {
    name: "wizard: starts over",
    tool: "wizard",
    says: { ...pizza, [review]: [accept({ choice: "change" }), accept({ choice: "bake" })] },
    text: "Baking a large pizza with olives, onions.",
    asked: [order, order, wish, wish, size, size],
  },
  {
    name: "wizard: a cancel in the middle is asked once",
    tool: "wizard",
    says: { ...pizza, [toppings]: [cancel] },
    text: 'error: The user cancelled "toppings:1"',
    asked: [wish, size],
  },
  {
    name: "wizard: a decline at the beginning is asked once",
    tool: "wizard",
    says: { [size]: [decline] },
    text: 'error: The user declined "size:1"',
    asked: [size],
  },
  {
    name: "wizard: a decline at the end is asked once",
    tool: "wizard",
    says: { ...pizza, [review]: [decline] },
    text: 'error: The user declined "review:1"',
    asked: [order, wish, size],
  },
  {
    name: "wizard: a decline in the second attempt is asked once",
    tool: "wizard",
    says: { ...pizza, [size]: [accept({ choice: "large" }), decline], [review]: [accept({ choice: "change" })] },
    text: 'error: The user declined "size:2"',
    asked: [order, wish, size, size],
  },
  {
    name: "sum: adds in rounds of state alone",
    tool: "sum",
    args: { numbers: Array.from({ length: 12 }, (_, i) => i) },
    says: {},
    text: "The sum is 66.",
    asked: [],
  },
];

describe("twins", () => {
  let server: Server;

  before(async () => {
    server = await serve("examples/returning.ts");
  });

  after(() => server?.stop());

  for (const [how, connect] of connections) {
    test(`twins: come to the same with a client of ${how}`, async () => {
      const seat: Seat = { user: new User({}) };
      const connection = await connect(seat, server.url);
      try {
        for (const { args = {}, asked, name, says, text, tool } of scenes) {
          for (const called of [tool, `manual_${tool}`]) {
            seat.user = new User(says);
            const ended = await connection.call(called, args);
            assertEquals([ended, seat.user.asked.toSorted()], [text, asked], `${called}, ${name}`);
          }
        }
      } finally {
        await connection.close();
      }
    });
  }
});
