/** `Need.elicit`: a form for the user. */
import type { FormQuestion } from "../model/question.ts";
import { checkMessage, named } from "./build.ts";
import type { Cancelled, Declined } from "./errors.ts";
import { formOf } from "./form/cache.ts";
import { readForm } from "./form/envelope.ts";
import type { FormAnswer, FormSource } from "./form/types.ts";
import { Elicitation, make, type Need } from "./need.ts";

/** What a form asks. */
export interface ElicitOptions<S> {
  /** Says to the user why the answer is needed. Not for secrets: those go through `elicitUrl`. */
  readonly message: string;
  /**
   * An Effect `Schema.Struct` of plain fields, or a literal JSON Schema of the protocol's subset, from which the type of
   * the answer is inferred.
   */
  readonly schema: S;
  /** Whether only an answer to this very question counts, and none that the client volunteers. */
  readonly mustAsk?: boolean;
}

/**
 * Asks the user to fill in a form, and gives its content, validated.
 *
 * An invalid answer is asked again with the reason before the message. An absent optional field stays absent; defaults
 * are the client's to fill in. Fails with `Declined` or `Cancelled`. Throws, naming the field, when the schema has
 * what the protocol's forms cannot say: nested objects, unions, null in a required field, lists without fixed options.
 * A schema is looked at once, so keep it outside of the handler. Spec: 2026-07-28, client/elicitation.
 */
export const elicit = <const S extends FormSource>(
  key: string,
  options: ElicitOptions<S>,
): Need<FormAnswer<S>, Declined | Cancelled, Elicitation> => {
  const { message, mustAsk = false, schema } = options;
  const form = formOf(schema, key);
  checkMessage(named("form", key), message);
  const question: FormQuestion = {
    method: "elicitation/create",
    params: { message, requestedSchema: form.wire },
  };
  return make({
    key,
    kind: "form",
    port: Elicitation,
    request: () => question,
    identity: () => `${mustAsk ? "form!" : "form"} ${JSON.stringify(message)} ${form.text}`,
    read: readForm(key, form.read),
    volunteer: !mustAsk,
  });
};
