/** The official client, with answers from a script and a record of what it was asked. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** The parameters of a question, in the client's own words. */
export interface Asked {
  readonly method: string;
  readonly params: {
    readonly message?: string;
    readonly url?: string;
    readonly mode?: string;
    readonly requestedSchema?: { readonly properties: { readonly [name: string]: unknown } };
    readonly messages?: ReadonlyArray<{ readonly content: unknown }>;
  };
}

/** What a user does with a form or a page. */
export type Reply =
  | {
    readonly action: "accept";
    readonly content?: { readonly [field: string]: string | number | boolean | Array<string> };
  }
  | { readonly action: "decline" | "cancel" };

/** How a client answers. What is absent is not declared. */
export interface Answers {
  readonly elicit?: (asked: Asked["params"]) => Reply | Promise<Reply>;
  readonly sample?: (asked: Asked["params"]) => string;
  readonly roots?: ReadonlyArray<{ readonly uri: string; readonly name?: string }>;
}

/** A connected client. */
export interface Connected {
  readonly client: Client;
  /** Everything that it was asked, in order. */
  readonly asked: ReadonlyArray<Asked>;
}

/** Connects a client that speaks 2026-07-28 alone; `token` says who its user is. */
export const connect = async (
  url: URL,
  answers: Answers = {},
  options: ClientOptions = {},
  token?: string,
): Promise<Connected> => {
  const asked: Array<Asked> = [];
  const client = new Client({ name: "test", version: "1.0.0" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    ...options,
    capabilities: {
      ...(answers.elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
      ...(answers.sample === undefined ? {} : { sampling: {} }),
      ...(answers.roots === undefined ? {} : { roots: {} }),
    },
  });
  const { elicit, roots, sample } = answers;
  if (elicit !== undefined) {
    client.setRequestHandler("elicitation/create", async (request) => {
      asked.push(request as Asked);
      return await elicit(request.params as Asked["params"]);
    });
  }
  if (sample !== undefined) {
    client.setRequestHandler("sampling/createMessage", (request) => {
      asked.push(request as Asked);
      const text = sample(request.params as Asked["params"]);
      return { model: "test", role: "assistant", content: { type: "text", text }, stopReason: "endTurn" };
    });
  }
  if (roots !== undefined) {
    client.setRequestHandler("roots/list", (request) => {
      asked.push(request as Asked);
      return { roots: [...roots] };
    });
  }
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return { client, asked };
};

/** The text of a result, and whether it is an error. */
export const said = (result: { readonly content?: unknown; readonly isError?: boolean | undefined }): string => {
  const blocks = result.content as ReadonlyArray<{ readonly text?: string }>;
  const text = blocks.map((block) => block.text ?? "").join("\n");
  return result.isError === true ? `error: ${text}` : text;
};

/** Calls a tool and gives the text of its result. */
export const call = async ({ client }: Connected, name: string, args: Record<string, unknown> = {}): Promise<string> =>
  said(await client.callTool({ name, arguments: args }));
