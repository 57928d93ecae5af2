/** The official clients over standard input and output, with answers from a script. */
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { program as programOf } from "../process.ts";
import { type Answers, type Mode, newClient, oldClient } from "./answering.ts";
import { said } from "./client.ts";

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

const optionsOf = (patience: Patience | undefined) =>
  patience === undefined ? {} : {
    timeout: patience.timeout,
    ...(patience.progress ? { onprogress: () => {}, resetTimeoutOnProgress: true } : {}),
  };

/** Starts a server with `@modelcontextprotocol/client` 2.x. */
export const connectNew = async (program: Program, answers: Answers, mode: Mode): Promise<Host> => {
  const asked: Array<string> = [];
  const client = newClient(answers, mode, asked);
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
  const client = oldClient(answers, asked);
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
