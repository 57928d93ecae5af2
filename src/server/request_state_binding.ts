/** What a state of the author's own is bound to. */
import * as Effect from "effect/Effect";
import type { CallInfo } from "../model/call.ts";
import type { Binding } from "../seal/mod.ts";

/** The parts of a call that a state can be bound to. */
export type Part = "principal" | "method" | "target" | "arguments";

/** All parts. */
export const parts: ReadonlyArray<Part> = ["principal", "method", "target", "arguments"];

/** What is known of the call that a state is bound to. */
export type BoundCall = Pick<CallInfo, "method" | "target" | "arguments" | "principal">;

/** Parts of the call; or a text that has to be the same in both rounds. */
export type Bind = ReadonlyArray<Part> | ((call: BoundCall) => string);

/** Of a state that any call may bring. No sealed state of the library has this method. */
export const unbound: Binding = {
  audience: "",
  method: "requestState",
  target: "",
  arguments: {},
  subject: undefined,
};

/** The binding to a call; fails with what is wrong where the caller has to be known and is not. */
export const bindingOf = (bind: Bind, call: BoundCall): Effect.Effect<Binding, string> => {
  const { method, principal, target } = call;
  if (typeof bind === "function") {
    return Effect.map(
      Effect.sync(() => bind(call)),
      (text) => ({ ...unbound, method: "requestState by text", target: text }),
    );
  }
  if (bind.includes("principal") && !principal.authenticated) {
    return Effect.fail("it is bound to the principal, and the caller is not authenticated");
  }
  return Effect.succeed({
    ...unbound,
    ...(bind.includes("method") ? { method: `requestState of ${method}` } : {}),
    ...(bind.includes("target") ? { target } : {}),
    ...(bind.includes("arguments") ? { arguments: call.arguments } : {}),
    ...(bind.includes("principal") ? { subject: principal.subject } : {}),
  });
};
