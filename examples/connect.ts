/**
 * URL mode: the user finishes a step on a page of ours, so that what is typed there never passes through the client.
 * An accept says only that the user agreed to go there; `done` says when the step is finished.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/connect.ts
 *
 * Clients send `Authorization: Bearer ada-token`; the page asks for Ada's passphrase, `difference engine`.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { Auth, Call, McpServer, Need, Tool } from "@needful/mcp";
import { Accounts, layer, page, users } from "./connect_page.ts";
import { serve } from "./serve.ts";

export const connect: Tool.Tool<Accounts | Auth.Principal | Need.Elicitation | Need.Flow> = Tool.make("connect", {
  description: "Connects an account, which the user enters on a page of this server",
  handler: Effect.fn(function* () {
    const accounts = yield* Accounts;
    const { id, principal } = yield* Need.flow;
    if (!principal.authenticated) {
      return yield* Tool.fail("Only known users have accounts: send a token, like Bearer ada-token");
    }

    yield* accounts.begin(id, principal.subject);
    const origin = yield* here;
    const account = yield* Need.elicitUrl("account", {
      message: "Which account do you want to connect?",
      url: () => `${origin}/connect/${id}`,
      done: accounts.connected(id),
    });
    return `${account} is connected for ${principal.subject}.`;
  }),
});

/** Where the pages of this server are, for clients that do not come over HTTP. */
export const Origin: Context.Reference<string> = Context.Reference("examples/Origin", {
  defaultValue: () => "http://localhost:8000",
});

/** Where this server is: it has checked `Host`. Behind a proxy, take the address from the configuration. */
const here = Effect.gen(function* () {
  const origin = yield* Origin;
  const host = Option.flatMapNullishOr(yield* Call.info, ({ header }) => header("host"));
  return Option.match(host, { onNone: () => origin, onSome: (host) => `http://${host}` });
});

/** Clients with a token act for its user, those without for nobody. */
export const authenticate: Auth.Authenticate = ({ header }) => {
  const token = header("authorization")?.replace(/^Bearer /, "");
  if (token === undefined) return Effect.succeed(Auth.anonymous);
  const user = users.find((user) => user.token === token);
  return user === undefined
    ? Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }))
    : Effect.succeed(Auth.principal(user.name));
};

export const server: McpServer.McpServer<Accounts> = McpServer.make({
  name: "connect",
  version: "1.0.0",
  tools: [connect],
});

if (import.meta.main) serve(server, layer, { authenticate, fallback: page });
