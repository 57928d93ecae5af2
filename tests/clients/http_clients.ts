/** The official clients of both eras over HTTP, with answers from a script and a record of every message of the server. */
import { StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { faultsOf, type Message } from "../messages.ts";
import { type Answers, type Mode, newClient, oldClient } from "./answering.ts";
import { said } from "./client.ts";

/** What was sent either way. */
export class Record {
  /** Methods of requests of the client's, by the text of their ids. */
  readonly #methods = new Map<string, string>();
  readonly #read: Array<Promise<void>> = [];
  /** Messages of the server, with the method of what they answer. */
  readonly received: Array<{ readonly message: Message; readonly method: string | undefined }> = [];
  /** HTTP methods and statuses, like `GET 200`. */
  readonly exchanges: Array<string> = [];

  /** To be used in place of `fetch`. */
  readonly fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const method = init?.method ?? "GET";
    if (typeof init?.body === "string") {
      const sent = JSON.parse(init.body);
      if (sent.method !== undefined && sent.id !== undefined) this.#methods.set(JSON.stringify(sent.id), sent.method);
    }
    const response = await fetch(url, init);
    this.exchanges.push(`${method} ${response.status}`);
    if (response.body !== null) this.#read.push(this.#take(response.clone()).catch(() => {}));
    return response;
  };

  async #take(response: Response): Promise<void> {
    if (response.headers.get("content-type") === "application/json") return this.#note(await response.json());
    let rest = "";
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split("\n\n");
      rest = events.pop()!;
      for (const event of events) {
        const data = event.split("\n").find((line) => line.startsWith("data: {"));
        if (data !== undefined) this.#note(JSON.parse(data.slice("data: ".length)));
      }
    }
  }

  #note(message: Message): void {
    const answers = message.method === undefined;
    const method = answers ? this.#methods.get(JSON.stringify(message.id)) : undefined;
    this.received.push({ message, method });
  }

  /** What is wrong with the messages in `revision`. Those that differ in numbers and states alone are looked at once. */
  async faults(revision: string, seen: Set<string> = new Set()): Promise<ReadonlyArray<string>> {
    await Promise.all(this.#read);
    return this.received.flatMap(({ message, method }) => {
      const text = JSON.stringify(message).replace(/"requestState":"[^"]*"/g, '"requestState":"0"').replace(
        /\d+/g,
        "0",
      );
      const shape = `${revision} ${method} ${text}`;
      if (seen.has(shape)) return [];
      seen.add(shape);
      return faultsOf(revision, message, method).map((fault) => `${fault}: ${JSON.stringify(message)}`);
    });
  }
}

/** How a call is made. */
export interface CallOptions {
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
  readonly signal?: AbortSignal;
}

/** A connected client, whichever it is. */
export interface Host {
  readonly call: (name: string, args?: { readonly [name: string]: unknown }, options?: CallOptions) => Promise<string>;
  readonly tools: () => Promise<ReadonlyArray<string>>;
  readonly revision: string;
  readonly record: Record;
  /** What the client reported. */
  readonly errors: ReadonlyArray<string>;
  readonly close: () => Promise<void>;
}

const bearer = (token: string | undefined) => ({
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
});

/** Connects `@modelcontextprotocol/client` 2.x. */
export const connectNew = async (url: URL, answers: Answers, mode: Mode, token?: string): Promise<Host> => {
  const record = new Record();
  const errors: Array<string> = [];
  const client = newClient(answers, mode);
  client.onerror = (error) => void errors.push(error.message);
  const transport = new NewTransport(url, { requestInit: bearer(token), fetch: record.fetch });
  await client.connect(transport);
  return {
    call: async (name, args = {}, options = {}) => said(await client.callTool({ name, arguments: args }, options)),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    revision: client.getNegotiatedProtocolVersion()!,
    record,
    errors,
    close: async () => {
      if (client.getProtocolEra() === "legacy") await transport.terminateSession();
      await client.close();
    },
  };
};

/** Connects `@modelcontextprotocol/sdk` 1.x. */
export const connectOld = async (url: URL, answers: Answers, token?: string): Promise<Host> => {
  const record = new Record();
  const errors: Array<string> = [];
  const client = oldClient(answers);
  client.onerror = (error: Error) => void errors.push(error.message);
  const transport = new OldTransport(url, { requestInit: bearer(token), fetch: record.fetch });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    call: async (name, args = {}, options = {}) =>
      said(await client.callTool({ name, arguments: args }, undefined, options)),
    tools: async () => (await client.listTools()).tools.map(({ name }: { readonly name: string }) => name),
    revision: transport.protocolVersion!,
    record,
    errors,
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
};
