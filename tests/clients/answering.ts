/** The official clients of both eras, with answers from a script. */
import { Client as NewClient } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Asked, Reply } from "./client.ts";

/** What the user, the model and the host say. */
export interface Answers {
  readonly elicit: (params: Asked["params"]) => Reply | Promise<Reply>;
  readonly sample: string;
  readonly roots: Array<{ uri: string; name: string }>;
}

/** How `@modelcontextprotocol/client` finds out what a server speaks. */
export type Mode = "legacy" | "auto" | { readonly pin: string };

const about = { name: "test", version: "1.0.0" };
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

const poem = (text: string) => ({
  model: "test",
  role: "assistant" as const,
  content: { type: "text" as const, text },
  stopReason: "endTurn" as const,
});

/** `@modelcontextprotocol/client` 2.x; the methods of what it is asked are added to `asked`. */
export const newClient = (answers: Answers, mode: Mode, asked: Array<string> = []): NewClient => {
  const client = new NewClient(about, { versionNegotiation: { mode }, capabilities });
  client.setRequestHandler("elicitation/create", ({ method, params }) => {
    asked.push(method);
    return answers.elicit(params as Asked["params"]);
  });
  client.setRequestHandler("sampling/createMessage", ({ method }) => {
    asked.push(method);
    return poem(answers.sample);
  });
  client.setRequestHandler("roots/list", ({ method }) => {
    asked.push(method);
    return { roots: answers.roots };
  });
  return client;
};

/** `@modelcontextprotocol/sdk` 1.x; the methods of what it is asked are added to `asked`. */
export const oldClient = (answers: Answers, asked: Array<string> = []): OldClient => {
  const client = new OldClient(about, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, ({ method, params }: Asked) => {
    asked.push(method);
    return answers.elicit(params);
  });
  client.setRequestHandler(CreateMessageRequestSchema, ({ method }: Asked) => {
    asked.push(method);
    return poem(answers.sample);
  });
  client.setRequestHandler(ListRootsRequestSchema, ({ method }: Asked) => {
    asked.push(method);
    return { roots: answers.roots };
  });
  return client;
};
