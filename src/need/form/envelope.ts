/** The envelope of an answer to an elicitation: `{ action, content? }` (schema, `ElicitResult`). */
import { isRecord, type JsonRecord, own } from "../../model/json.ts";
import { Cancelled, Declined } from "../errors.ts";
import type { Reading } from "../need.ts";
import { invalid } from "./reason.ts";

/** Reads the action; the content of an accepted form is for `on.accept`. Decline and cancel are taken as they are. */
export const readAction = <A, E>(
  raw: unknown,
  on: {
    readonly accept: (answer: JsonRecord) => Reading<A, E>;
    readonly decline: () => Reading<A, E>;
    readonly cancel: () => Reading<A, E>;
  },
): Reading<A, E> => {
  if (!isRecord(raw)) return invalid("it is not an object");
  switch (own(raw, "action")) {
    case "accept":
      return on.accept(raw);
    case "decline":
      return on.decline();
    case "cancel":
      return on.cancel();
  }
  return invalid(`its action is not "accept", "decline" or "cancel"`);
};

/** The content of an accepted form: absent equals empty, and a value that is no object is malformed. */
export const contentOf = (answer: JsonRecord): JsonRecord | undefined => {
  const content = own(answer, "content");
  return content === undefined ? {} : isRecord(content) ? content : undefined;
};

/** Reads the answer to a form whose refusals are the typed errors. */
export const readForm = <A>(
  key: string,
  read: (content: JsonRecord) => Reading<A, never>,
): (raw: unknown) => Reading<A, Declined | Cancelled> =>
(raw) =>
  readAction<A, Declined | Cancelled>(raw, {
    accept: (answer) => {
      const content = contentOf(answer);
      return content === undefined ? invalid("its content is not an object") : read(content);
    },
    decline: () => ({ _tag: "Failure", error: new Declined({ key }) }),
    cancel: () => ({ _tag: "Failure", error: new Cancelled({ key }) }),
  });
