/** Values that complete an argument of a prompt or of a resource template. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { type Fault, invalidParams, isFault } from "../model/fault.ts";
import { isRecord, own } from "../model/json.ts";
import { Principal } from "../model/principal.ts";
import type { CompletionReply } from "../model/reply.ts";
import type { CompleteRequest, Envelope } from "../model/request.ts";
import type { Feature } from "./feature.ts";
import type { Instance } from "./instance.ts";

const nothing: CompletionReply = { _tag: "Completion", values: [] };

const isStrings = (value: unknown): value is { readonly [argument: string]: string } =>
  isRecord(value) && Object.values(value).every((member) => typeof member === "string");

const find = ({ catalog }: Instance, ref: unknown, principal: Principal): Feature | Fault => {
  const type = isRecord(ref) ? own(ref, "type") : undefined;
  if (!isRecord(ref) || (type !== "ref/prompt" && type !== "ref/resource")) {
    return invalidParams("params.ref must be a ref/prompt or a ref/resource");
  }
  const name = own(ref, type === "ref/prompt" ? "name" : "uri");
  if (typeof name !== "string") {
    return invalidParams(`params.ref.${type === "ref/prompt" ? "name" : "uri"} must be a string`);
  }
  if (type === "ref/prompt") return catalog.prompt(name, principal) ?? invalidParams(`Unknown prompt: ${name}`);
  return catalog.template(name, principal) ?? catalog.resource(name, principal)?.feature ??
    invalidParams(`Unknown resource: ${name}`);
};

/** Completes an argument (2026-07-28, completion). A feature that completes nothing gives no values. */
export const complete = (
  instance: Instance,
  { principal }: Envelope,
  { argument, context, ref }: CompleteRequest,
): Effect.Effect<CompletionReply | Fault> => {
  const feature = find(instance, ref, principal);
  if (isFault(feature)) return Effect.succeed(feature);
  const name = isRecord(argument) ? own(argument, "name") : undefined;
  const value = isRecord(argument) ? own(argument, "value") : undefined;
  if (typeof name !== "string" || typeof value !== "string") {
    return Effect.succeed(invalidParams("params.argument must have a name and a value, both strings"));
  }
  const given = isRecord(context) ? own(context, "arguments") ?? {} : context ?? {};
  if (!isStrings(given)) return Effect.succeed(invalidParams("params.context.arguments must be an object of strings"));
  if (feature.complete === undefined) return Effect.succeed(nothing);
  const completed = feature.complete(name, value, given) as Effect.Effect<CompletionReply | Fault>;
  return Effect.provideContext(completed, Context.add(instance.context, Principal, principal));
};
