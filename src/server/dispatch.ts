/** From a neutral request to a neutral reply. */
import * as Effect from "effect/Effect";
import { readFilter } from "../era/modern.ts";
import { type ChangeKind, changeKind } from "../model/change.ts";
import { type Fault, isFault, methodNotFound } from "../model/fault.ts";
import type { Peer } from "../model/peer.ts";
import type { DiscoverReply, ListReply, Reply } from "../model/reply.ts";
import type { CallMethod } from "../model/call.ts";
import type { Envelope, ListenRequest, ListRequest, Operation } from "../model/request.ts";
import { call } from "./call.ts";
import type { Served, Sink, Subscription } from "./catalog_service.ts";
import { complete } from "./complete.ts";
import type { Instance } from "./instance.ts";
import type { Notify } from "./notify.ts";

/** A request that has one reply. */
export type ReplyOperation = Exclude<Operation, ListenRequest>;

const kinds: ReadonlyArray<ChangeKind> = ["tools", "resources", "prompts"];

const callKind: { readonly [K in CallMethod]: ChangeKind } = {
  "tools/call": "tools",
  "resources/read": "resources",
  "prompts/get": "prompts",
};

/** Whether the capability that an operation belongs to is declared: what is not declared is not served. */
const isServed = (served: Served, operation: Operation): boolean => {
  switch (operation._tag) {
    case "Call":
      return served[callKind[operation.method]];
    case "List":
      return served[changeKind[operation.kind]];
    case "Complete":
      return served.completions;
    case "Discover":
    case "Listen":
      return true;
  }
};

/** What a server says of itself. */
export const discover = ({ catalog, server }: Instance): DiscoverReply => {
  const served = catalog.served();
  return {
    _tag: "Discover",
    lists: kinds.filter((kind) => served[kind]),
    completions: served.completions,
    extensions: server.extensions,
    instructions: server.instructions,
    cache: server.cache.discover,
  };
};

const list = ({ catalog, server }: Instance, { principal }: Envelope, request: ListRequest): ListReply | Fault => {
  const page = catalog.page(request.kind, request.cursor, principal);
  if (isFault(page)) return page;
  const cache = server.cache[request.kind];
  return { _tag: "List", kind: request.kind, page, cache: page.private ? { ...cache, scope: "private" } : cache };
};

/**
 * Acts on a request that has one reply. Never fails; defects, and interruptions by an author, are for the caller to
 * catch. With a `peer` a call asks it and waits; without one it ends in an interim result where it has to ask.
 */
export const dispatch = (
  instance: Instance,
  envelope: Envelope,
  operation: ReplyOperation,
  notify: Notify,
  peer?: Peer,
): Effect.Effect<Reply | Fault> => {
  if (!isServed(instance.catalog.served(), operation)) return Effect.succeed(methodNotFound(envelope.method));
  switch (operation._tag) {
    case "Call":
      return call(instance, envelope, operation, notify, peer);
    case "List":
      return Effect.succeed(list(instance, envelope, operation));
    case "Complete":
      return complete(instance, envelope, operation);
    case "Discover":
      return Effect.succeed(discover(instance));
  }
};

/** Begins a subscription, whose changes go to `sink`. */
export const listen = (
  instance: Instance,
  { principal }: Envelope,
  operation: ListenRequest,
  sink: Sink,
): Subscription | Fault => {
  const filter = readFilter(operation.notifications);
  return isFault(filter) ? filter : instance.catalog.listen(filter, principal, sink);
};
