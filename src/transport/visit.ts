/** HTTP as the rest of the transport sees it, whatever carries it. */
import type * as Context from "effect/Context";
import type { Fault } from "../model/fault.ts";
import type { HeaderReader } from "../model/request.ts";

/** Headers: lower-case names with their values. */
export interface Fields {
  readonly [name: string]: string;
}

/** A reply that is no stream. */
export interface Reply {
  readonly status: number;
  readonly headers: Fields;
  /** Undefined where there is none. */
  readonly body: string | undefined;
}

/** A stream of text that is written to as things happen. Not to be used after `close`, or after its client has left. */
export interface Stream {
  /** False, and nothing is written, while the client is so far behind that memory would fill. */
  readonly offer: (text: string) => boolean;
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/** A request whose body is not read yet, and the way back to the client. */
export interface Visit {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** The name and port that the client believes to talk to. */
  readonly host: string;
  readonly header: HeaderReader;
  /** What the hooks find beside the services of the server, for this request alone. */
  readonly services?: Context.Context<never>;
  /** Gives the text of the body to `done`, once. The function that is returned gives up: then `done` is not called. */
  readonly read: (limit: number, done: (body: string | Fault) => void) => () => void;
  /** Calls `left` if the client gives up before it has a reply. The function that is returned looks no more. */
  readonly watch: (left: () => void) => () => void;
  /** Replies. To be called once, unless `stream` is. */
  readonly reply: (reply: Reply) => void;
  /** Replies by a stream. `left` is called if the client closes it. */
  readonly stream: (headers: Fields, left: () => void) => Stream;
}
