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
import { broken as brokenSeal } from "../seal/make.ts";
import type { Binding, InvalidState, StateTooLarge } from "../seal/mod.ts";
import type { AnyFeature, Decoded } from "./feature.ts";
import type { Instance } from "./instance.ts";
import type { Notify } from "./notify.ts";
import { grow } from "./seed.ts";
import { resolve, type Target } from "./target.ts";
import { annotate, spanned } from "./telemetry.ts";

type Ended = Outcome<unknown, unknown>;

/** A call whose params have the right shape. */
interface Call {
  readonly instance: Instance;
  readonly envelope: Envelope;
  readonly request: CallRequest;
  readonly target: Target;
  readonly notify: Notify;
  readonly peer: Peer | undefined;
}

const bindingOf = ({ envelope: { principal }, instance, request, target }: Call): Binding => ({
  audience: instance.server.info.name,
  method: request.method,
  target: target.name,
  arguments: target.sent,
  subject: principal.authenticated ? principal.subject : undefined,
});

const infoOf = ({ envelope, request, target }: Call): CallInfo => ({
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

/** The journal of a flow that goes on: the one in its state, or one that begins with a seed. */
const open = (call: Call): Effect.Effect<Journal.Journal | Fault> => {
  const { instance: { sealer }, request: { requestState } } = call;
  return Effect.matchEffect(sealer.open(requestState, bindingOf(call)), {
    onFailure: (error: InvalidState) =>
      Effect.catch(
        grow(sealer, requestState),
        (other): Effect.Effect<Journal.Journal | Fault> => refuseState(error.reason === brokenSeal ? other : error),
      ),
    onSuccess: (text): Effect.Effect<Journal.Journal | Fault> => {
      const journal = Journal.decode(text);
      return journal === undefined ? refuseState({ reason: "the journal is malformed" }) : Effect.succeed(journal);
    },
  });
};

/** The journal of the flow that this request belongs to. */
const journalOf = (call: Call): Effect.Effect<Journal.Journal | Fault> =>
  call.request.requestState === undefined ? Effect.map(call.instance.flowId, Journal.start) : open(call);

/** What is wrong with a request, besides its shape and its state, before its arguments are read. */
const missing = ({ requires }: AnyFeature, { capabilities }: Envelope): Fault | undefined => {
  const lacking = requires.filter((capability) => !supports(capabilities, capability));
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

const seal = (call: Call, { journal, questions }: InputRequired): Effect.Effect<CallReply | Fault> =>
  Effect.matchEffect(call.instance.sealer.seal(Journal.encode(journal), bindingOf(call)), {
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

const conclude = (call: Call, outcome: Ended): Effect.Effect<CallReply | Fault> => {
  const { feature } = call.target;
  switch (outcome._tag) {
    case "Complete":
      return finish(feature, outcome);
    case "InputRequired":
      return seal(call, outcome);
    case "Unaskable":
      return unaskable(feature, outcome);
    case "Broken":
      return broken(feature, outcome.message);
    case "InvalidState":
      return refuseState(outcome);
  }
};

const interpret = (call: Call, journal: Journal.Journal, input: unknown): Effect.Effect<Ended> => {
  const { envelope: { principal }, instance, notify, peer, request, target } = call;
  const handler = Effect.suspend(() => target.feature.handle(input));
  const context = Context.add(instance.context, Principal, principal);
  const info = infoOf(call);
  const { limits } = instance;
  if (peer !== undefined) return live(handler, context, { info, journal, notify, limits, peer }, instance.live);
  const retried = request.requestState !== undefined;
  return interim(handler, context, { info, journal, notify, limits, responses: target.responses, retried });
};

/** What is left to do once the journal is there. `early` are arguments that were read before. */
const begin = (
  call: Call,
  journal: Journal.Journal | Fault,
  early: Decoded | undefined,
): Effect.Effect<CallReply | Fault> => {
  if (isFault(journal)) return Effect.succeed(journal);
  const { envelope, instance, target: { args, feature } } = call;
  const lacking = missing(feature, envelope);
  if (lacking !== undefined) return Effect.succeed(lacking);
  const decoded = early ?? feature.decode(args);
  if (decoded._tag === "Refused") return replyWith(feature, decoded.reply, decoded.cause);
  const outcome = interpret(call, journal, decoded.input);
  const told = instance.traced ? Effect.tap(outcome, (outcome) => annotate(journal, outcome)) : outcome;
  return Effect.flatMap(told, (outcome) => conclude(call, outcome));
};

/**
 * Acts on a call. Order: feature and shape of params, arguments of prompts, mirrored headers, state, required
 * capabilities, arguments of tools; then the handler runs.
 */
const act = (
  instance: Instance,
  envelope: Envelope,
  request: CallRequest,
  notify: Notify,
  peer: Peer | undefined,
): Effect.Effect<CallReply | Fault> => {
  const target = resolve(instance.catalog, request, envelope.principal);
  if (isFault(target)) return Effect.succeed(target);
  const { feature } = target;
  const call: Call = { instance, envelope, request, target, notify, peer };
  let decoded: Decoded | undefined;
  if (feature._tag === "Tool") {
    const mirrored = envelope.era === "modern" ? envelope.header : undefined;
    const mismatch = mirrored && checkParameters(feature.headers, target.sent, mirrored);
    if (mismatch !== undefined) return Effect.succeed(mismatch);
  } else {
    decoded = feature.decode(target.args);
    if (decoded._tag === "Refused") return replyWith(feature, decoded.reply, decoded.cause);
  }
  return Effect.flatMap(journalOf(call), (journal) => begin(call, journal, decoded));
};

/** Acts on a call, in a span of its own where there is a tracer. */
export const call = (
  instance: Instance,
  envelope: Envelope,
  request: CallRequest,
  notify: Notify,
  peer: Peer | undefined,
): Effect.Effect<CallReply | Fault> => {
  const acted = Effect.suspend(() => act(instance, envelope, request, notify, peer));
  return instance.traced ? spanned(acted, envelope, request) : acted;
};
