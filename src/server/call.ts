/** One round of a call: from a request with the right shape to a reply. */
import type * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { checkParameters } from "../era/header_value.ts";
import type { CallInfo } from "../model/call.ts";
import { supports } from "../model/capability.ts";
import { type Fault, internal, invalidState, isFault, missingCapability } from "../model/fault.ts";
import { jsonFault } from "../model/json.ts";
import type { Peer } from "../model/peer.ts";
import { Principal } from "../model/principal.ts";
import type { CallReply } from "../model/reply.ts";
import type { CallRequest, Envelope } from "../model/request.ts";
import { interim } from "../run/interim.ts";
import * as Journal from "../run/journal.ts";
import { live } from "../run/live.ts";
import type { Complete, InputRequired, Outcome, Unaskable } from "../run/outcome.ts";
import { type Binding, type InvalidState, randomId, type StateTooLarge } from "../seal/mod.ts";
import type { AnyFeature, Decoded } from "./feature.ts";
import type { Instance } from "./instance.ts";
import type { Notify } from "./notify.ts";
import { grow } from "./seed.ts";
import { resolve, type Target } from "./target.ts";
import { annotate, spanned } from "./telemetry.ts";

type Ended = Outcome<unknown, unknown>;

const bindingOf = (instance: Instance, { principal }: Envelope, request: CallRequest, target: Target): Binding => ({
  audience: instance.server.info.name,
  method: request.method,
  target: target.name,
  arguments: target.sent,
  subject: principal.authenticated ? principal.subject : undefined,
});

const infoOf = (envelope: Envelope, request: CallRequest, target: Target): CallInfo => ({
  method: request.method,
  target: target.name,
  arguments: target.sent,
  era: envelope.era,
  revision: envelope.revision,
  client: envelope.client,
  capabilities: envelope.capabilities,
  meta: envelope.meta,
  header: (name) => envelope.header?.(name.toLowerCase()),
  principal: envelope.principal,
});

const refuseState = ({ reason }: { readonly reason: string }): Effect.Effect<Fault> =>
  Effect.as(Effect.logWarning(`A request state was refused: ${reason}`), invalidState);

/** The journal of the flow that this request belongs to: a new one, the one in its state, or one that begins with a seed. */
const journalOf = (
  instance: Instance,
  request: CallRequest,
  binding: Binding,
): Effect.Effect<Journal.Journal | Fault> =>
  request.requestState === undefined
    ? Effect.map(randomId, Journal.start)
    : Effect.matchEffect(instance.sealer.open(request.requestState, binding), {
      onFailure: (error: InvalidState) =>
        Effect.flatMap(
          grow(instance.sealer, request.requestState),
          (journal): Effect.Effect<Journal.Journal | Fault> =>
            journal === undefined ? refuseState(error) : Effect.succeed(journal),
        ),
      onSuccess: (text): Effect.Effect<Journal.Journal | Fault> => {
        const journal = Journal.decode(text);
        return journal === undefined ? refuseState({ reason: "the journal is malformed" }) : Effect.succeed(journal);
      },
    });

/** What is wrong with a request, besides its shape and its state, before its arguments are read. */
const missing = (feature: AnyFeature, { capabilities }: Envelope): Fault | undefined => {
  const lacking = feature.requires.filter((capability) => !supports(capabilities, capability));
  return lacking.length === 0 ? undefined : missingCapability(lacking);
};

/** Runs what the handler left for the end, all of it even if the client leaves meanwhile. None of it can fail. */
const commit = ({ commits }: Complete<unknown, unknown>): Effect.Effect<void> =>
  Effect.uninterruptible(Effect.forEach(commits, (one) => one, { discard: true }));

const replyWith = <A>(feature: AnyFeature, reply: A, cause: Cause.Cause<unknown> | undefined): Effect.Effect<A> =>
  cause === undefined
    ? Effect.succeed(reply)
    : Effect.as(Effect.logError(`The handler of ${feature.name} failed`, cause), reply);

const finish = (feature: AnyFeature, outcome: Complete<unknown, unknown>): Effect.Effect<CallReply | Fault> => {
  const finished = feature.finish(outcome.exit);
  if (finished._tag === "Good") {
    if (outcome.commits.length === 0) return Effect.succeed(finished.reply);
    // What is committed cannot be taken back: so first, whether the result can be written.
    const fault = jsonFault(finished.reply);
    if (fault === undefined) return Effect.as(commit(outcome), finished.reply);
    return finish(feature, { ...outcome, exit: Exit.die(new TypeError(`The result cannot be sent: ${fault}`)) });
  }
  return replyWith(feature, finished.reply, finished.cause);
};

const seal = (
  { sealer }: Instance,
  { journal, questions }: InputRequired,
  binding: Binding,
): Effect.Effect<CallReply | Fault> =>
  Effect.matchEffect(sealer.seal(Journal.encode(journal), binding), {
    onFailure: (error: StateTooLarge) => Effect.as(Effect.logError(error.message), internal(error.message)),
    onSuccess: (state) => Effect.succeed<CallReply>({ _tag: "InputRequired", questions, state }),
  });

const broken = (feature: AnyFeature, message: string): Effect.Effect<Fault> =>
  Effect.as(Effect.logError(`The call of ${feature.name} cannot go on: ${message}`), internal(message));

/** A client that cannot be reached is no mistake of the author's, and is told so where it may be back to read it. */
const unaskable = (feature: AnyFeature, { key, missing, reason }: Unaskable): Effect.Effect<CallReply | Fault> => {
  if (missing.length > 0) return Effect.succeed(missingCapability(missing));
  const text = `Cannot ask "${key}": ${reason}`;
  return Effect.succeed(
    feature._tag === "Tool" ? { _tag: "Tool", content: [{ type: "text", text }], isError: true } : internal(text),
  );
};

const conclude = (
  instance: Instance,
  feature: AnyFeature,
  outcome: Ended,
  binding: Binding,
): Effect.Effect<CallReply | Fault> => {
  switch (outcome._tag) {
    case "Complete":
      return finish(feature, outcome);
    case "InputRequired":
      return seal(instance, outcome, binding);
    case "Unaskable":
      return unaskable(feature, outcome);
    case "Broken":
      return broken(feature, outcome.message);
    case "InvalidState":
      return refuseState(outcome);
  }
};

/**
 * Acts on a call. Order: feature and shape of params, arguments of prompts, mirrored headers, state, required
 * capabilities, arguments of tools; then the handler runs.
 */
const act = Effect.fnUntraced(function* (
  instance: Instance,
  envelope: Envelope,
  request: CallRequest,
  notify: Notify,
  peer: Peer | undefined,
): Effect.fn.Return<CallReply | Fault> {
  const target = resolve(instance.catalog, request, envelope.principal);
  if (isFault(target)) return target;
  const { feature } = target;
  let decoded: Decoded | undefined;
  if (feature._tag === "Tool") {
    const mirrored = envelope.era === "modern" ? envelope.header : undefined;
    const mismatch = mirrored && checkParameters(feature.headers, target.sent, mirrored);
    if (mismatch !== undefined) return mismatch;
  } else {
    decoded = feature.decode(target.args);
    if (decoded._tag === "Refused") return yield* replyWith(feature, decoded.reply, decoded.cause);
  }
  const binding = bindingOf(instance, envelope, request, target);
  const journal = yield* journalOf(instance, request, binding);
  if (isFault(journal)) return journal;
  const lacking = missing(feature, envelope);
  if (lacking !== undefined) return lacking;
  decoded ??= feature.decode(target.args);
  if (decoded._tag === "Refused") return yield* replyWith(feature, decoded.reply, decoded.cause);
  const { input } = decoded;
  const handler = Effect.suspend(() => feature.handle(input));
  const context = Context.add(instance.context, Principal, envelope.principal);
  const common = { info: infoOf(envelope, request, target), journal, notify, limits: instance.limits };
  const outcome: Ended = peer === undefined
    ? yield* interim(handler, context, {
      ...common,
      responses: target.responses,
      retried: request.requestState !== undefined,
    })
    : yield* live(handler, context, { ...common, peer }, instance.live);
  if (instance.traced) yield* annotate(journal, outcome);
  return yield* conclude(instance, feature, outcome, binding);
});

/** Acts on a call, in a span of its own where there is a tracer. */
export const call = (
  instance: Instance,
  envelope: Envelope,
  request: CallRequest,
  notify: Notify,
  peer: Peer | undefined,
): Effect.Effect<CallReply | Fault> => {
  const acted = act(instance, envelope, request, notify, peer);
  return instance.traced ? spanned(acted, envelope, request) : acted;
};
