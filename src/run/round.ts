/** What one round starts from. */
import type { CallInfo } from "../model/call.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Notice } from "../model/notice.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";

/** One round: everything that its outcome depends on, besides the handler and its services (G8). */
export interface Round {
  readonly info: CallInfo;
  readonly journal: Journal;
  /** The request's `inputResponses`, as they came. */
  readonly responses: JsonRecord | undefined;
  /** Whether the request carried the state of an earlier round: then only questions that this flow put have answers. */
  readonly retried: boolean;
  /** Passes a message of the handler on; not called any more once the round is decided. */
  readonly notify: (notice: Notice) => void;
  readonly limits: Limits;
}
