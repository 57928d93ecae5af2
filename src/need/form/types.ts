/** The types of forms: what a literal schema says about the answer. */
import type * as Schema from "effect/Schema";
import type { FormSchema } from "../../model/question.ts";

/** The value of one field of a form. */
export type FormValue = string | number | boolean | ReadonlyArray<string>;

/** The value of a field with this literal schema. */
export type FieldValue<F> = F extends { readonly type: "string" } ? string
  : F extends { readonly type: "number" | "integer" } ? number
  : F extends { readonly type: "boolean" } ? boolean
  : F extends { readonly type: "array" } ? string[]
  : FormValue;

/** The names in `required`; none where their literals are lost. */
export type RequiredNames<S> = S extends { readonly required: ReadonlyArray<infer K> } ? string extends K ? never : K
  : never;

/**
 * The content of an accepted form with this literal schema. Names outside `required` are optional. Where the schema's
 * own literals are lost, nothing is known but that fields are plain.
 */
export type FormContent<S extends FormSchema> = string extends keyof S["properties"] ? Record<string, FormValue>
  :
    & {
      readonly [K in keyof S["properties"] as K extends RequiredNames<S> ? K : never]: FieldValue<S["properties"][K]>;
    }
    & {
      readonly [K in keyof S["properties"] as K extends RequiredNames<S> ? never : K]?: FieldValue<S["properties"][K]>;
    } extends infer Content ? { readonly [K in keyof Content]: Content[K] }
  : never;

/** What a form is made from: an Effect schema whose encoded side is a flat struct, or a literal JSON Schema. */
export type FormSource = Schema.ConstraintDecoder<unknown> | FormSchema;

/** What the handler gets from an accepted form that was made from `S`. */
export type FormAnswer<S> = S extends { readonly "Type": infer A; readonly "DecodingServices": unknown } ? A
  : S extends FormSchema ? FormContent<S>
  : never;
