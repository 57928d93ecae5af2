/** Ids that nobody can guess. */
import * as Effect from "effect/Effect";
import { randomBytes } from "../model/crypto.ts";
import * as Base64Url from "./base64url.ts";

/** 128 random bits as base64url: 22 characters. A flow's id. */
export const randomId: Effect.Effect<string> = Effect.map(randomBytes(16), Base64Url.encode);
