/** Cursors: the place in a list after which a page begins, opaque to clients. */
import * as Base64Url from "effect/encoding/Base64Url";
import * as Result from "effect/Result";
import type { ListKind } from "../model/request.ts";

/** The cursor behind the entry with the number `last` of a list. */
export const toCursor = (kind: ListKind, last: number): string => Base64Url.encode(`${kind}:${last}`);

/** The number of the entry that a cursor stands behind; undefined if it is no cursor of this list. */
export const fromCursor = (kind: ListKind, cursor: unknown): number | undefined => {
  if (typeof cursor !== "string" || cursor.length > 64) return undefined;
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "");
  const last = Number(text.slice(kind.length + 1));
  return Number.isSafeInteger(last) && last >= 0 && toCursor(kind, last) === cursor ? last : undefined;
};
