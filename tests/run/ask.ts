/** Needs for the tests of `run/`. */
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";

const Form: Schema.Struct<{ readonly v: typeof Schema.String }> = Schema.Struct({ v: Schema.String });

/** Asks for one text, which `accept` answers with the key. */
export const ask = (
  key: string,
  message = `? ${key}`,
): Effect.Effect<string, Need.Declined | Need.Cancelled, Need.Elicitation> =>
  Effect.map(Need.elicit(key, { message, schema: Form }), ({ v }) => v);

/** What a client lacks that shows forms alone. */
export const lacking: Need.Need<Need.Sample, Need.Refused, Need.Sampling> = Need.sample("s", {
  messages: [{ role: "user", content: { type: "text", text: "?" } }],
  maxTokens: 1,
});

/** The capabilities of a client that shows forms alone. */
export const formsOnly = { elicitation: {} };

/** A page, and how often it was asked whether it is finished. */
export const page = (
  finished: (asked: number) => boolean,
  wait?: Duration.Input,
): {
  readonly asked: { readonly times: number };
  readonly need: Need.Need<string, Need.Declined | Need.Cancelled, Need.Elicitation>;
} => {
  const asked = { times: 0 };
  const need = Need.elicitUrl("connect", {
    message: "Connect your account",
    url: (interaction) => `https://example.org/?interaction=${interaction}`,
    done: Effect.sync(() => finished(++asked.times) ? Option.some("token") : Option.none()),
    ...(wait === undefined ? {} : { wait }),
  });
  return { asked, need };
};
