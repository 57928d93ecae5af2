/** The official clients over standard input and output, with answers from a script. */
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { program as programOf } from "../process.ts";
import { type Asked, type Reply, said } from "./client.ts";

/** How a call is made. */
export interface Patience {
  /** Milliseconds without a sign of life after which the client gives up. */
  readonly timeout: number;
  /** Whether progress is a sign of life. */
  readonly progress: boolean;
}

/** A connected client, whichever it is. */
export interface Host {
  readonly call: (name: string, args?: Record<string, unknown>, patience?: Patience) => Promise<string>;
  readonly tools: () => Promise<ReadonlyArray<string>>;
  /** The methods of what it was asked, in order. */
  readonly asked: ReadonlyArray<string>;
  readonly revision: string | undefined;
  readonly pid: number;
  /** Ends the process as hosts do: closes its input, and waits for its end. */
  readonly close: () => Promise<void>;
}

/** What the user, the model and the host say. */
export interface Answers {
  readonly elicit: (params: Asked["params"]) => Reply | Promise<Reply>;
  readonly sample: string;
  readonly roots: Array<{ uri: string; name: string }>;
}

/** A file for Deno, which may be preceded by permissions; or a command with its arguments. */
export type Program = string | readonly [command: string, ...ReadonlyArray<string>];

const runs = (program: string): ReadonlyArray<string> => {
  const permissions = program.split(" ");
  return programOf(permissions.pop()!, permissions);
};

const parameters = (program: Program) => {
  const [command, ...args] = typeof program === "string" ? [process.execPath, ...runs(program)] as const : program;
  return { command, args, cwd: fileURLToPath(new URL("../..", import.meta.url)), stderr: "ignore" as const };
};

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const optionsOf = (patience: Patience | undefined) =>
  patience === undefined ? {} : {
    timeout: patience.timeout,
    ...(patience.progress ? { onprogress: () => {}, resetTimeoutOnProgress: true } : {}),
  };

const about = { name: "test", version: "1.0.0" };

const poem = (text: string) => ({
  model: "test",
  role: "assistant" as const,
  content: { type: "text" as const, text },
  stopReason: "endTurn" as const,
});

/** How `@modelcontextprotocol/client` finds out what a server speaks. */
export type Mode = "legacy" | "auto" | { readonly pin: string };

/** Starts a server with `@modelcontextprotocol/client` 2.x. */
export const connectNew = async (program: Program, answers: Answers, mode: Mode): Promise<Host> => {
  const asked: Array<string> = [];
  const client = new NewClient(about, { versionNegotiation: { mode }, capabilities });
  client.setRequestHandler("elicitation/create", (request) => {
    asked.push(request.method);
    return answers.elicit(request.params as Asked["params"]);
  });
  client.setRequestHandler("sampling/createMessage", (request) => {
    asked.push(request.method);
    return poem(answers.sample);
  });
  client.setRequestHandler("roots/list", (request) => {
    asked.push(request.method);
    return { roots: answers.roots };
  });
  const transport = new NewTransport(parameters(program));
  await client.connect(transport);
  return {
    call: async (name, args = {}, patience) =>
      said(await client.callTool({ name, arguments: args }, optionsOf(patience))),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    asked,
    revision: client.getNegotiatedProtocolVersion(),
    pid: transport.pid!,
    close: () => client.close(),
  };
};

/** Starts a server with `@modelcontextprotocol/sdk` 1.x. */
export const connectOld = async (program: Program, answers: Answers): Promise<Host> => {
  const asked: Array<string> = [];
  const client = new OldClient(about, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, (request: Asked) => {
    asked.push(request.method);
    return answers.elicit(request.params);
  });
  client.setRequestHandler(CreateMessageRequestSchema, (request: Asked) => {
    asked.push(request.method);
    return poem(answers.sample);
  });
  client.setRequestHandler(ListRootsRequestSchema, (request: Asked) => {
    asked.push(request.method);
    return { roots: answers.roots };
  });
  const transport = new OldTransport(parameters(program));
  let revision: string | undefined;
  Object.assign(transport, { setProtocolVersion: (version: string) => void (revision = version) });
  await client.connect(transport);
  return {
    call: async (name, args = {}, patience) =>
      said(await client.callTool({ name, arguments: args }, undefined, optionsOf(patience))),
    tools: async () => (await client.listTools()).tools.map(({ name }: { readonly name: string }) => name),
    asked,
    revision,
    pid: transport.pid!,
    close: () => client.close(),
  };
};
