/** A form, ready to be asked and read. */
import type { JsonRecord } from "../../model/json.ts";
import type { FormSchema } from "../../model/question.ts";
import type { Reading } from "../need.ts";

/** A form: what the client gets, and how what it sends back is read. */
export interface Form<A> {
  /** The `requestedSchema` of the protocol. */
  readonly wire: FormSchema;
  /** Canonical text of `wire`, for the question's identity. */
  readonly text: string;
  /** Reads the content of an accepted form. Never throws. */
  readonly read: (content: JsonRecord) => Reading<A, never>;
}
