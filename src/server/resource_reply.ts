/** From what the handler of a resource gives to its reply. */
import * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import { type InputRequired, isInputRequired } from "../manual/input_required.ts";
import type { ResourceContents } from "../model/content.ts";
import { internal } from "../model/fault.ts";
import { isRecord, type JsonRecord } from "../model/json.ts";
import type { CacheHint } from "../model/reply.ts";
import { base64 } from "./content.ts";
import { ended, mistake, toFault } from "./ended.ts";
import { NotFound } from "./failure.ts";
import type { Finished } from "./feature.ts";
import { defined } from "./options.ts";

/** One part of what a resource contains. Its URI and type are those of the resource, unless it has its own. */
export type Part =
  & { readonly uri?: string; readonly mimeType?: string; readonly _meta?: JsonRecord }
  & ({ readonly text: string } | { readonly blob: Uint8Array | string });

/** What the handler of a resource may give: text, bytes, or several parts. A `blob` that is a string is base64. */
export type Contents = string | Uint8Array | ReadonlyArray<Part>;

const body = (part: unknown): { readonly text: string } | { readonly blob: string } | undefined => {
  if (!isRecord(part)) return undefined;
  const { blob, text } = part;
  if (typeof text === "string") return { text };
  return typeof blob === "string" || blob instanceof Uint8Array ? { blob: base64(blob) } : undefined;
};

/** The contents that a handler gave; undefined where they are none. */
const read = (
  uri: string,
  mimeType: string | undefined,
  value: unknown,
): ReadonlyArray<ResourceContents> | undefined => {
  if (typeof value === "string") return read(uri, mimeType, [{ text: value }]);
  if (value instanceof Uint8Array) return read(uri, mimeType, [{ blob: value }]);
  if (!Array.isArray(value)) return undefined;
  const contents: Array<ResourceContents> = [];
  for (const part of value) {
    const own = body(part);
    if (own === undefined) return undefined;
    contents.push({ uri, ...defined({ mimeType, uri: part.uri, ...ownType(part), _meta: part._meta }), ...own });
  }
  return contents;
};

const ownType = (part: JsonRecord): JsonRecord => part["mimeType"] === undefined ? {} : { mimeType: part["mimeType"] };

/** What a handler gives, as contents; undefined where it is none. What it asks for instead stays as it is. */
export const reading = <E, R>(
  effect: Effect.Effect<Contents | InputRequired, E | NotFound, R>,
  uri: string,
  mimeType: string | undefined,
): Effect.Effect<unknown, E | NotFound, R> =>
  Effect.mapBoth(effect, {
    onFailure: (error) => error instanceof NotFound ? new NotFound({ uri }) : error,
    onSuccess: (value) => isInputRequired(value) ? value : read(uri, mimeType, value),
  });

/** What the end of a resource's handler means to the client. */
export const finish = (name: string, cache: CacheHint, exit: Exit.Exit<unknown, unknown>): Finished => {
  const end = ended(exit);
  switch (end._tag) {
    case "Crashed":
      return { _tag: "Bad", reply: internal(), cause: end.cause };
    case "Failed": {
      const reply = toFault(end.error);
      return end.cause === undefined ? { _tag: "Bad", reply } : { _tag: "Bad", reply, cause: end.cause };
    }
    case "Success":
      return Array.isArray(end.value)
        ? { _tag: "Good", reply: { _tag: "Resource", contents: end.value, cache } }
        : { _tag: "Bad", reply: internal(), cause: mistake(`Resource ${name} returned something else than contents`) };
  }
};
