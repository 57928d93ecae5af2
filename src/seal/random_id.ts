/** Ids that nobody can guess. */
import * as Effect from "effect/Effect";
import { randomBytes } from "../model/crypto.ts";
import * as Base64Url from "./base64url.ts";

/** 128 random bits as base64url: 22 characters. A flow's id. */
export const randomId: Effect.Effect<string> = Effect.map(randomBytes(16), Base64Url.encode);

/** Ids that are made at a time. */
const batch = 64;
/** Random bytes for one of them: a whole number of base64url groups, of which 22 characters, 132 bits, are given out. */
const bytesEach = 18;
const charactersEach = 24;
const characters = 22;

/** Makes an effect that gives another id each time, for a small part of what `randomId` costs. */
export const pooledId = (): Effect.Effect<string> => {
  let pool = "";
  let next = 0;
  const take = (): string => {
    const start = next;
    next += charactersEach;
    return pool.slice(start, start + characters);
  };
  const fill = Effect.map(randomBytes(batch * bytesEach), (bytes) => {
    pool = Base64Url.encode(bytes);
    next = 0;
    return take();
  });
  return Effect.suspend(() => next < pool.length ? Effect.succeed(take()) : fill);
};
