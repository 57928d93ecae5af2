/** Changes of what a server serves, and who wants to be told of which. */
import type { ListKind } from "./request.ts";

/** A list that clients can listen to; templates belong to `resources`. */
export type ChangeKind = "tools" | "resources" | "prompts";

/** The list to listen to for changes of each that can be listed. */
export const changeKind: { readonly [K in ListKind]: ChangeKind } = {
  tools: "tools",
  resources: "resources",
  templates: "resources",
  prompts: "prompts",
};

/** Something that a subscriber is told. */
export type Change =
  | { readonly _tag: "ListChanged"; readonly kind: ChangeKind }
  | { readonly _tag: "ResourceUpdated"; readonly uri: string };

/** What a client wants to be told. */
export interface Filter {
  readonly lists: ReadonlyArray<ChangeKind>;
  readonly uris: ReadonlyArray<string>;
}
