/** Contestants that serve HTTP, and what the tables call them. */
export const names = {
  needful: "needful",
  sdk: "official SDK",
  effect: "Effect's McpServer",
  bare: "bare handler",
  reading: "bare handler that reads the headers",
} as const;

/** What the command line calls them. */
export type Name = keyof typeof names;
