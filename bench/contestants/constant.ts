/**
 * No server at all: says again what the bare handler said first, and does not read what it is asked. What is left is the
 * benchmark's own part of the time, and the runtime's `Request` and `Response`.
 */
import type { Make } from "../contestant.ts";
import * as bare from "./bare.ts";

/** For a piece of work of `messages` messages. */
export const makeFor = (messages: number): Make => async () => {
  const { close, fetch } = await bare.make();
  const replies: Array<string> = [];
  let next = 0;
  const headers = { "content-type": "application/json" };
  return {
    name: "no server: constant replies",
    fetch: async (request) => {
      if (replies.length < messages) replies.push(await (await fetch(request)).text());
      return new Response(replies[next++ % messages]!, { headers });
    },
    close,
  };
};
