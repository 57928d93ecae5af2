/** Needs for the tests of `run/`. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";

const Form: Schema.Struct<{ readonly v: typeof Schema.String }> = Schema.Struct({ v: Schema.String });

/** Asks for one text, which `accept` answers with the key. */
export const ask = (
  key: string,
  message = `? ${key}`,
): Effect.Effect<string, Need.Declined | Need.Cancelled, Need.Elicitation> =>
  Effect.map(Need.elicit(key, { message, schema: Form }), ({ v }) => v);
