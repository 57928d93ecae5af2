/** Conversations with clients of older revisions, for as long as they last. */
export { alone, channel } from "./session/alone.ts";
export { peer, unreachable } from "./session/peer.ts";
export type { Session, Watch } from "./session/session.ts";
export { make, type Options, type Sessions } from "./session/store.ts";
export type { Sink, Stream } from "./session/stream.ts";
