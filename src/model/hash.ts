/** A synchronous SHA-256: digests of questions are taken while a handler asks, where nothing may wait. */
import * as Context from "effect/Context";
import { sha256 } from "./sha256.ts";

/** SHA-256 of the UTF-8 form of a text, as base64url without padding: 43 characters. */
export interface Hash {
  readonly sha256: (text: string) => string;
}

/** The hash in use: plain TypeScript by default; the layers of `runtime/` bring the platform's own. */
export const Hash: Context.Reference<Hash> = Context.Reference<Hash>("needful/model/Hash", {
  defaultValue: () => ({ sha256 }),
});
