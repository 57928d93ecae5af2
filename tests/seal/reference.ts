/**
 * The envelope once more, straight from the table at the head of src/seal/envelope.ts and over WebCrypto alone, so that
 * the vectors do not come from the code that they check.
 */

/** A state with all that went into it. */
export interface Vector {
  readonly name: string;
  readonly mode: "encrypt" | "sign";
  readonly secret: string;
  /** In milliseconds since 1970. */
  readonly issued: number;
  /** In milliseconds. */
  readonly ttl: number;
  /** In hexadecimal. Not used by `sign`. */
  readonly nonce: string;
  readonly binding: {
    readonly audience: string;
    readonly method: string;
    readonly target: string;
    readonly arguments?: unknown;
    readonly subject: string | null;
  };
  readonly payload: string;
  /** The last three lines of the context, after key and times. */
  readonly lines: string;
  readonly state: string;
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const bytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const base64url = (all: Uint8Array): string =>
  btoa(String.fromCharCode(...all)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const time = (value: number): Uint8Array<ArrayBuffer> => bytes(value.toString(16).padStart(12, "0"));

const hkdf = async (secret: string, info: string, length: number): Promise<Uint8Array<ArrayBuffer>> => {
  const key = await crypto.subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, length * 8));
};

/** The state of a vector. */
export const write = async (vector: Omit<Vector, "state">): Promise<string> => {
  const { mode, secret, issued, ttl } = vector;
  const id = await hkdf(secret, `needful/seal/1/${mode}/id`, 7);
  const material = await hkdf(secret, `needful/seal/1/${mode}/key`, 32);
  const header = [1, mode === "encrypt" ? 1 : 2, ...id];
  const context = utf8(`${base64url(Uint8Array.from(header))}\n${issued}\n${issued + ttl}\n${vector.lines}`);
  const plain = vector.payload.isWellFormed() && !vector.payload.startsWith("\0");
  const text = utf8(plain ? vector.payload : `\0${JSON.stringify(vector.payload)}`);
  const body: Array<number> = [];
  if (mode === "encrypt") {
    const key = await crypto.subtle.importKey("raw", material, "AES-GCM", false, ["encrypt"]);
    const iv = bytes(vector.nonce);
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: context }, key, text);
    body.push(...iv, ...new Uint8Array(sealed));
  } else {
    const key = await crypto.subtle.importKey("raw", material, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const tag = await crypto.subtle.sign("HMAC", key, Uint8Array.from([...context, ...text]));
    body.push(...text, ...new Uint8Array(tag));
  }
  return base64url(Uint8Array.from([...header, ...time(issued), ...time(issued + ttl), ...body]));
};
