/** Clients of older revisions over HTTP, message by message, and servers in this process to talk to. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import { Catalog, McpServer } from "@needful/mcp";
import { type Changes, quiet, type Wire } from "./fixture.ts";
import { all, type Asking, asking } from "./stdio_asking.ts";

/** Something that answers requests. */
export type Fetch = (request: Request) => Promise<Response>;

/** One event of a stream. */
export interface Event {
  readonly id: string | undefined;
  readonly retry: number | undefined;
  /** Undefined in events that have none. */
  readonly message: Wire;
}

const parse = (block: string): Event | undefined => {
  const field = (name: string): string | undefined =>
    block.split("\n").find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
  const [data, id, retry] = [field("data"), field("id"), field("retry")];
  if (data === undefined && retry === undefined) return undefined;
  return {
    id,
    retry: retry === undefined ? undefined : Number(retry),
    message: data === undefined || data === "" ? undefined : JSON.parse(data),
  };
};

/** A stream that is read event by event. */
export class Events {
  readonly response: Response;
  /** What came so far, comments included. */
  text = "";
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.body!.getReader();
  }

  /** The next event, comments left out; undefined at the end. */
  async event(): Promise<Event | undefined> {
    while (true) {
      const end = this.#rest.indexOf("\n\n");
      if (end < 0) {
        const { done, value } = await this.#reader.read();
        if (done) return undefined;
        const text = this.#decoder.decode(value, { stream: true });
        this.text += text;
        this.#rest += text;
        continue;
      }
      const event = parse(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end + 2);
      if (event !== undefined) return event;
    }
  }

  /** The next piece of text as it comes; undefined at the end. */
  async piece(): Promise<string | undefined> {
    const { done, value } = await this.#reader.read();
    return done ? undefined : this.#decoder.decode(value, { stream: true });
  }

  /** The next message; undefined at the end. */
  async next(): Promise<Wire> {
    for (let event = await this.event(); event !== undefined; event = await this.event()) {
      if (event.message !== undefined) return event.message;
    }
    return undefined;
  }

  /** All messages up to the end. */
  async rest(): Promise<ReadonlyArray<Wire>> {
    const messages: Array<Wire> = [];
    for (let message = await this.next(); message !== undefined; message = await this.next()) messages.push(message);
    return messages;
  }

  /** Closes the connection. */
  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** A whole reply. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly streamed: boolean;
  readonly messages: ReadonlyArray<Wire>;
  /** The last message. */
  readonly last: Wire;
}

/** Reads a reply to its end. */
export const read = async (response: Response): Promise<Reply> => {
  const { headers, status } = response;
  const streamed = headers.get("content-type") === "text/event-stream";
  const text = streamed ? "" : await response.text();
  const messages = streamed ? await new Events(response).rest() : text === "" ? [] : [JSON.parse(text)];
  return { status, headers, streamed, messages, last: messages.at(-1) };
};

/** Status, and code or `ok`: `400/-32600`, `200/ok`, `202/empty`. */
export const outcome = ({ last, status }: Reply): string =>
  `${status}/${last === undefined ? "empty" : last.error?.code ?? "ok"}`;

/** How a client speaks. */
export interface Speech {
  readonly revision?: string;
  readonly capabilities?: unknown;
  /** Sent with every request. */
  readonly headers?: Changes;
  /** Whether it says that it is ready. Default true. */
  readonly ready?: boolean;
  readonly url?: string;
}

let lastId = 0;

/** A request message. */
export const request = (method: string, params: unknown = {}, id: string | number = ++lastId): Wire => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** A notification message. */
export const notification = (method: string, params: unknown = {}): Wire => ({
  jsonrpc: "2.0",
  method: `notifications/${method}`,
  params,
});

/** A call of a tool. */
export const tool = (name: string, params: Record<string, unknown> = {}, id?: string | number): Wire =>
  request("tools/call", { name, arguments: {}, ...params }, id);

/** `initialize`. */
export const initialize = (protocolVersion: unknown = "2025-11-25", capabilities: unknown = all): Wire =>
  request("initialize", { protocolVersion, capabilities, clientInfo: { name: "t", version: "1" } });

/** A client with a session. */
export class Client {
  readonly fetch: Fetch;
  readonly speech: Speech;
  /** The result of `initialize`. */
  readonly server: Wire;
  readonly session: string;
  readonly revision: string;

  private constructor(fetch: Fetch, speech: Speech, server: Wire, session: string) {
    this.fetch = fetch;
    this.speech = speech;
    this.server = server;
    this.session = session;
    this.revision = server.protocolVersion;
  }

  /** Opens a session. */
  static async open(fetch: Fetch, speech: Speech = {}): Promise<Client> {
    const message = initialize(speech.revision, speech.capabilities);
    const reply = await read(await fetch(post(message, speech.headers, undefined, speech.url)));
    const session = reply.headers.get("mcp-session-id");
    if (session === null || reply.last.result === undefined) {
      throw new Error(`No session: ${JSON.stringify(reply.last)}`);
    }
    const client = new Client(fetch, speech, reply.last.result, session);
    if (speech.ready !== false) await read(await client.post(notification("initialized")));
    return client;
  }

  /** The headers of its requests. */
  headers(changes: Changes = {}): Changes {
    return {
      "mcp-session-id": this.session,
      "mcp-protocol-version": this.revision,
      ...this.speech.headers,
      ...changes,
    };
  }

  /** Sends a message. */
  post(message: Wire, changes: Changes = {}, signal?: AbortSignal): Promise<Response> {
    return this.fetch(post(message, this.headers(changes), signal, this.speech.url));
  }

  /** Sends a message and reads the whole reply. */
  async send(message: Wire, changes: Changes = {}): Promise<Reply> {
    return read(await this.post(message, changes));
  }

  /** Sends a message whose reply is a stream. */
  async stream(message: Wire, changes: Changes = {}, signal?: AbortSignal): Promise<Events> {
    const response = await this.post(message, changes, signal);
    if (response.headers.get("content-type") !== "text/event-stream") {
      throw new Error(`No stream: ${response.status} ${await response.text()}`);
    }
    return new Events(response);
  }

  /** Sends a GET. */
  get(changes: Changes = {}): Promise<Response> {
    return this.fetch(bare("GET", this.headers({ accept: "text/event-stream", ...changes }), this.speech.url));
  }

  /** Opens the stream for what belongs to no request, or takes up one behind an event. */
  async listen(behind?: string): Promise<Events> {
    const response = await this.get(behind === undefined ? {} : { "last-event-id": behind });
    if (response.status !== 200) throw new Error(`No stream: ${response.status} ${await response.text()}`);
    return new Events(response);
  }

  /** Ends the session. */
  delete(changes: Changes = {}): Promise<Response> {
    return this.fetch(bare("DELETE", this.headers(changes), this.speech.url));
  }

  /** Answers a question; gives the status. */
  async answer(question: Wire, result: unknown): Promise<number> {
    return (await this.send({ jsonrpc: "2.0", id: question.id, result })).status;
  }

  /** Accepts a form; gives the status. */
  accept(question: Wire, content: unknown): Promise<number> {
    return this.answer(question, { action: "accept", content });
  }

  /** Cancels a request; gives the status. */
  async cancel(requestId: unknown): Promise<number> {
    return (await this.send(notification("cancelled", { requestId }))).status;
  }
}

const endpoint = "http://localhost/mcp";

const entries = (changes: Changes): Headers =>
  new Headers(Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null));

/** A POST of a message, or of a text as it is. */
export const post = (message: Wire, changes: Changes = {}, signal?: AbortSignal, url: string = endpoint): Request =>
  new Request(url, {
    method: "POST",
    headers: entries({
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...changes,
    }),
    body: typeof message === "string" ? message : JSON.stringify(message),
    ...(signal === undefined ? {} : { signal }),
  });

/** A request without a body. */
export const bare = (method: string, changes: Changes = {}, url: string = endpoint): Request =>
  new Request(url, { method, headers: entries(changes) });

/** A server in the hands of a test. */
export interface Host {
  readonly fetch: Fetch;
  readonly dispose: () => Promise<void>;
  /** Lets time pass, which stands still otherwise. */
  readonly pass: (time: `${number} ${"millis" | "seconds" | "minutes"}`) => Promise<void>;
  readonly change: (effect: Effect.Effect<unknown, unknown, Catalog.Catalog>) => Promise<unknown>;
}

/** Runs a server for a test; `stopWithin` is short, as nobody waits for what a test leaves behind. */
export const withHost = async (
  server: McpServer.McpServer,
  use: (host: Host) => Promise<void>,
  options: McpServer.HttpOptions = {},
): Promise<void> => {
  const clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  let catalog: Catalog.Catalog | undefined;
  const seen = Layer.effectDiscard(Effect.map(Catalog.Catalog, (it) => void (catalog = it)));
  const layer = Layer.mergeAll(quiet, Layer.succeed(Clock.Clock, clock), seen);
  const handler = McpServer.toWebHandler(server, layer as Layer.Layer<never, never, Catalog.Catalog>, options);
  const moving = () => setInterval(() => Effect.runFork(clock.adjust("1 minute")), 5);
  const dispose = async (): Promise<void> => {
    const timer = moving();
    await handler.dispose();
    clearInterval(timer);
  };
  try {
    await use({
      fetch: handler.fetch,
      dispose,
      pass: (time) => Effect.runPromise(clock.adjust(time)),
      change: (effect) =>
        Effect.runPromise(
          Effect.provideContext(effect, Context.make(Catalog.Catalog, catalog!)) as Effect.Effect<unknown>,
        ),
    });
  } finally {
    await dispose();
  }
};

/** Runs a server whose tools ask. */
export const withAsking = (
  use: (host: Host, parts: Asking) => Promise<void>,
  options: McpServer.HttpOptions = {},
): Promise<void> => {
  const parts = asking();
  return withHost(parts.server, (host) => use(host, parts), options);
};

/** Lets everything run that can. */
export const settle = async (turns = 20): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
};
