/** Forms by the schema value that they are made from: each is made once. */
import * as Schema from "effect/Schema";
import { canonical } from "../../model/json.ts";
import { named } from "../build.ts";
import { decoder } from "./decode.ts";
import type { Form } from "./form.ts";
import { fromLiteral } from "./literal.ts";
import { plain } from "./plain.ts";
import type { FormAnswer, FormSource } from "./types.ts";
import { fromSchema } from "./walk.ts";

const forms = new WeakMap<object, Form<unknown>>();

const make = (source: FormSource, what: string): Form<unknown> => {
  if (Schema.isSchema(source)) {
    const wire = fromSchema(source, what);
    return { wire, text: canonical(wire), read: decoder(source as Schema.ConstraintDecoder<unknown>, wire) };
  }
  const wire = fromLiteral(source, what);
  return { wire, text: canonical(wire), read: plain(wire) };
};

/** The form of `source`, made or known. Throws, naming `what` and the field, if the protocol has no such form. */
export const formFor = <const S extends FormSource>(source: S, what: string): Form<FormAnswer<S>> => {
  const known = forms.get(source);
  const form = known ?? make(source, what);
  if (known === undefined) forms.set(source, form);
  return form as Form<FormAnswer<S>>;
};

/** The form of `source` under `key`. */
export const formOf = <const S extends FormSource>(source: S, key: string): Form<FormAnswer<S>> =>
  formFor(source, named("form", key));
