/** What a tracer is told of a call: its outcome and its flow, never answers or state. */
import * as Effect from "effect/Effect";
import * as Tracer from "effect/Tracer";
import { type Fault, isFault } from "../model/fault.ts";
import { own } from "../model/json.ts";
import type { CallReply } from "../model/reply.ts";
import type { CallRequest, Envelope } from "../model/request.ts";
import type { Journal } from "../run/journal.ts";
import type { Outcome } from "../run/outcome.ts";

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The client's span, if it says which (2026-07-28, basic, "OpenTelemetry trace context"). */
const parentOf = ({ meta }: Envelope): Tracer.ExternalSpan | undefined => {
  const given = own(meta, "traceparent");
  const match = typeof given === "string" ? traceparent.exec(given) : null;
  if (match === null) return undefined;
  const [, traceId, spanId, flags] = match;
  return Tracer.externalSpan({ traceId: traceId!, spanId: spanId!, sampled: (parseInt(flags!, 16) & 1) === 1 });
};

const outcomeOf = (reply: CallReply | Fault): string => {
  if (isFault(reply)) return "fault";
  if (reply._tag === "InputRequired") return "input_required";
  return reply._tag === "Tool" && reply.isError ? "error" : "complete";
};

/** Links the rounds of a flow. The id of a flow opens nothing. */
export const annotate = (journal: Journal, outcome: Outcome<unknown, unknown>): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "needful.flow": journal.flow,
    "needful.round": journal.round,
    "needful.asked": outcome._tag === "InputRequired" ? outcome.questions.length : 0,
  });

/** `acted` in a span that says what came of it. */
export const spanned = (
  acted: Effect.Effect<CallReply | Fault>,
  envelope: Envelope,
  request: CallRequest,
): Effect.Effect<CallReply | Fault> => {
  const target = typeof request.target === "string" ? request.target : "";
  const parent = parentOf(envelope);
  return acted.pipe(
    Effect.tap((reply) =>
      Effect.annotateCurrentSpan({
        "needful.outcome": outcomeOf(reply),
        ...(isFault(reply) ? { "error.type": String(reply.code) } : {}),
      })
    ),
    Effect.withSpan(request.method === "resources/read" ? request.method : `${request.method} ${target}`, {
      kind: "server",
      ...(parent === undefined ? {} : { parent }),
      attributes: {
        "mcp.method.name": request.method,
        "mcp.protocol.version": envelope.revision,
        "jsonrpc.request.id": String(envelope.id),
      },
    }),
  );
};
