/** The synchronous cryptography of `node:crypto`, the same on Deno, Bun and Node. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomFillSync } from "node:crypto";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { concat, type CryptoServices, layerPrimitives, type Primitives } from "../model/crypto.ts";
import { Hash, remembering } from "../model/hash.ts";

export type { CryptoServices } from "../model/crypto.ts";

const algorithm = "aes-256-gcm";
const tagBytes = 16;

const aes256Gcm: Primitives["aes256Gcm"] = {
  encrypt: (key, nonce, plain, context) => {
    const cipher = createCipheriv(algorithm, key, nonce);
    cipher.setAAD(context);
    return concat(cipher.update(plain), cipher.final(), cipher.getAuthTag());
  },
  decrypt: (key, nonce, sealed, context) => {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(context);
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const plain = decipher.update(sealed.subarray(0, -tagBytes));
    // `final` throws if the tag does not match, and else has nothing to add.
    return Result.isSuccess(Result.try(() => decipher.final())) ? new Uint8Array(plain) : undefined;
  },
};

/** The name of a hash: `SHA-256` becomes `sha256`. */
const nodeName = (hash: string): string => hash.replace("-", "").toLowerCase();

/** Random bytes, fetched from the system `capacity` at a time; none is given out twice, or kept once it was. */
const pooled = (capacity: number): Primitives["randomBytes"] => {
  const pool = new Uint8Array(capacity);
  let used = capacity;
  return (size) => {
    if (size > capacity / 8) return randomFillSync(new Uint8Array(size));
    if (used + size > capacity) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + size);
    pool.fill(0, used, used + size);
    used += size;
    return bytes;
  };
};

/** `node:crypto` as the primitives of the crypto services. */
export const primitives: Primitives = {
  aes256Gcm,
  hmac: (hash, key, message) => new Uint8Array(createHmac(nodeName(hash), key).update(message).digest()),
  hkdf: (hash, secret, salt, info, length) => new Uint8Array(hkdfSync(nodeName(hash), secret, salt, info, length)),
  randomBytes: pooled(4_096),
};

/** SHA-256 by `node:crypto`. */
const hash: Hash = remembering({ sha256: (text) => createHash("sha256").update(text).digest("base64url") });

/**
 * The crypto services and the hash over the runtime's own `node:crypto`, which never suspend: a flow takes less than half
 * the time that it takes by WebCrypto. A server that this entry serves has them. Give them to one that something else serves:
 * `McpServer.toWebHandler(server, layerCrypto)`. States are the same either way.
 */
export const layer: Layer.Layer<CryptoServices> = Layer.merge(layerPrimitives(primitives), Layer.succeed(Hash, hash));
