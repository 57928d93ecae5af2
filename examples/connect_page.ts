/**
 * The page that `connect.ts` sends its users to. It knows users by their passphrases, and takes an account only from the
 * user on whose behalf the tool was called: a link that was passed on is of no use (phishing, 2026-07-28,
 * client/elicitation).
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";

/** The users of the example. Clients send the token; at the page, users type the passphrase. */
export const users: ReadonlyArray<{ readonly name: string; readonly token: string; readonly passphrase: string }> = [
  { name: "ada", token: "ada-token", passphrase: "difference engine" },
  { name: "bob", token: "bob-token", passphrase: "stepped reckoner" },
];

/** Who connects which account. In memory here; a server of several instances keeps it in a database. */
export interface Accounts {
  /** Notes on whose behalf an interaction was begun. May be repeated. */
  readonly begin: (interaction: string, user: string) => Effect.Effect<void>;
  /** False where `user` did not begin this interaction. */
  readonly finish: (interaction: string, user: string, account: string) => Effect.Effect<boolean>;
  /** The account, once the interaction is finished. */
  readonly connected: (interaction: string) => Effect.Effect<Option.Option<string>>;
}
export const Accounts: Context.Service<Accounts, Accounts> = Context.Service<Accounts>("examples/Accounts");

export const layer: Layer.Layer<Accounts> = Layer.sync(Accounts, () => {
  const begun = new Map<string, string>();
  const accounts = new Map<string, string>();
  return {
    begin: (interaction, user) => Effect.sync(() => void begun.set(interaction, user)),
    finish: (interaction, user, account) =>
      Effect.sync(() => {
        if (begun.get(interaction) !== user) return false;
        accounts.set(interaction, account);
        return true;
      }),
    connected: (interaction) => Effect.sync(() => Option.fromUndefinedOr(accounts.get(interaction))),
  };
});

const html = (status: number, body: string): Response =>
  new Response(`<!doctype html><meta charset="utf-8"><title>Connect</title>${body}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "referrer-policy": "no-referrer" },
  });

const form = html.bind(
  null,
  200,
  `<h1>Connect an account</h1>
  <form method="post">
    <p><label>Your name <input name="user" required></label></p>
    <p><label>Your passphrase <input name="passphrase" type="password" required></label></p>
    <p><label>The account to connect <input name="account" required></label></p>
    <button>Connect</button>
  </form>`,
);

/** The page at `/connect/<interaction>`; 404 for everything else. */
export const page = (request: Request): Effect.Effect<Response, never, Accounts> =>
  Effect.gen(function* () {
    const [, interaction] = new URL(request.url).pathname.match(/^\/connect\/([\w-]+)$/) ?? [];
    if (interaction === undefined) return html(404, "<p>There is nothing here.</p>");
    if (request.method === "GET") return form();
    if (request.method !== "POST") return html(405, "<p>That does not work here.</p>");

    const fields = yield* Effect.option(Effect.tryPromise(() => request.formData()));
    const field = (name: string): string => String(Option.isSome(fields) ? fields.value.get(name) ?? "" : "");
    const user = users.find((user) => user.name === field("user") && user.passphrase === field("passphrase"));
    if (user === undefined) return html(403, "<p>This is not your passphrase.</p>");

    const accounts = yield* Accounts;
    const mine = yield* accounts.finish(interaction, user.name, field("account"));
    return mine
      ? html(200, "<p>Done. Go back to your client.</p>")
      : html(403, "<p>This link was made for another user.</p>");
  });
