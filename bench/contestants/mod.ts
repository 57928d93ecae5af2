/** Who takes part, by the names that the command line has for them. A process loads none but its own. */
import type { Make } from "../contestant.ts";

/** One of them. */
export type Name = "untraced" | "traced" | "portable" | "sdk" | "effect" | "bare" | "reading" | "constant";

/** All of them; each for a piece of work of `messages` messages. */
export const contestants: { readonly [K in Name]: (messages: number) => Promise<Make> } = {
  untraced: async () => (await import("./needful.ts")).untraced,
  traced: async () => (await import("./needful.ts")).traced,
  portable: async () => (await import("./needful.ts")).portable,
  sdk: async () => (await import("./sdk.ts")).make,
  effect: async () => (await import("./effect_ai.ts")).make,
  bare: async () => (await import("./bare.ts")).make,
  reading: async () => (await import("./bare.ts")).makeReading,
  constant: async (messages) => (await import("./constant.ts")).makeFor(messages),
};
