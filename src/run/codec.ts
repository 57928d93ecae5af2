/** JSON forms of the values that a journal keeps. */
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import type { Json } from "../model/json.ts";

/** The two ways between a value and its JSON form. They fail where value and schema do not fit. */
export interface JsonCodec<A> {
  readonly encode: (value: A) => Exit.Exit<Json, Schema.SchemaError>;
  readonly decode: (json: Json) => Exit.Exit<A, Schema.SchemaError>;
}

const codecs = new WeakMap<object, JsonCodec<unknown>>();

/** As it comes back from a text: in the first round a handler gets what it gets in later ones. */
const travelled = (json: Json): Json => JSON.parse(JSON.stringify(json));

/** The JSON codec of a schema, made once. */
export const jsonCodec = <A>(schema: Schema.Codec<A, unknown>): JsonCodec<A> => {
  const known = codecs.get(schema);
  if (known !== undefined) return known as JsonCodec<A>;
  const json = Schema.toCodecJson(schema);
  const encode = Schema.encodeUnknownExit(json);
  const decode = Schema.decodeUnknownExit(json);
  const made: JsonCodec<A> = {
    encode: (value) => Exit.map(encode(value) as Exit.Exit<Json, Schema.SchemaError>, travelled),
    decode,
  };
  codecs.set(schema, made as JsonCodec<unknown>);
  return made;
};
