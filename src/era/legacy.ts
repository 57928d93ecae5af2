/** The revisions before 2026-07-28: a conversation that begins with `initialize`. */
export { type Asked, decode, type Decoded } from "./legacy/decode.ts";
export { type Encoder, make as makeEncoder } from "./legacy/encode.ts";
export { faultText as fault, resourceNotFound, status } from "./legacy/fault.ts";
export { type Item, joinBatch, readBatch, readNotification, readResponse } from "./legacy/incoming.ts";
export { type Carrier, checkHeader, type Conversation, negotiate, open, stateless } from "./legacy/initialize.ts";
export { cancelled, change, elicitationComplete, log, progress } from "./legacy/notification.ts";
export { ask, canSay } from "./legacy/question.ts";
export { find as findRevision, newest, type Revision, revisions } from "./legacy/revisions.ts";
