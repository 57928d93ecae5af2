/** `Need.confirm`: a yes that nothing else can be taken for. */
import { own } from "../model/json.ts";
import type { FormQuestion, FormSchema } from "../model/question.ts";
import { checkMessage, named } from "./build.ts";
import { contentOf, readAction } from "./form/envelope.ts";
import { invalid } from "./form/reason.ts";
import { Elicitation, make, type Need, type Reading } from "./need.ts";

const form: FormSchema = {
  type: "object",
  properties: { ok: { type: "boolean", title: "Yes" } },
  required: ["ok"],
};

const answer = (value: boolean): Reading<boolean, never> => ({ _tag: "Answer", value });

const read = (raw: unknown): Reading<boolean, never> =>
  readAction(raw, {
    accept: (accepted) => {
      const content = contentOf(accepted);
      const ok = content === undefined ? undefined : own(content, "ok");
      return typeof ok === "boolean" ? answer(ok) : invalid(`"ok" must be true or false`);
    },
    decline: () => answer(false),
    cancel: () => answer(false),
  });

/**
 * Asks the user for a yes: true only for an accepted form whose one field `ok` is true.
 *
 * Declined, cancelled and `ok: false` are false. An answer that the client volunteers does not count, and neither does
 * an accepted form without a boolean: the question is asked (again). Being unable to ask is neither yes nor no: it
 * ends the call. Spec: 2026-07-28, client/elicitation.
 */
export const confirm = (key: string, message: string): Need<boolean, never, Elicitation> => {
  checkMessage(named("confirm", key), message);
  const question: FormQuestion = { method: "elicitation/create", params: { message, requestedSchema: form } };
  return make({
    key,
    kind: "form",
    port: Elicitation,
    request: () => question,
    identity: () => `confirm ${JSON.stringify(message)}`,
    read,
    volunteer: false,
  });
};
