/** A synchronous SHA-256: digests of questions are taken while a handler asks, where nothing may wait. */
import * as Context from "effect/Context";
import { sha256 } from "./sha256.ts";

/** SHA-256 of the UTF-8 form of a text, as base64url without padding: 43 characters. */
export interface Hash {
  readonly sha256: (text: string) => string;
}

/** Texts whose digests are remembered; at times twice as many. */
const capacity = 256;
/** Characters of the longest of them. */
const longest = 1_024;

/**
 * Remembers the digests of the texts that came last. The same questions are put in every round of a flow and to every
 * user, and to make and drop a host's hash object costs more than all else that is done for a short one.
 */
export const remembering = ({ sha256 }: Hash): Hash => {
  let recent = new Map<string, string>();
  let older: ReadonlyMap<string, string> = recent;
  return {
    sha256: (text) => {
      const known = recent.get(text);
      if (known !== undefined) return known;
      const digest = older.get(text) ?? sha256(text);
      if (text.length > longest) return digest;
      if (recent.size === capacity) {
        older = recent;
        recent = new Map();
      }
      recent.set(text, digest);
      return digest;
    },
  };
};

/** The hash in use: plain TypeScript by default; the layers of `runtime/` bring the platform's own. */
export const Hash: Context.Reference<Hash> = Context.Reference<Hash>("needful/model/Hash", {
  defaultValue: () => remembering({ sha256 }),
});
