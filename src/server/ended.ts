/** How the handler of a feature ended, as far as a client is told. */
import * as Cause from "effect/Cause";
import * as Exit from "effect/Exit";
import { type Fault, internal, invalidParams } from "../model/fault.ts";
import { Cancelled, Declined, Refused } from "../need/errors.ts";
import { type Errors, Failure, NotFound } from "./failure.ts";

/** How a handler ended. */
export type Ended =
  | { readonly _tag: "Success"; readonly value: unknown }
  /** With an error whose text is for the client; `cause` where something else broke as well. */
  | { readonly _tag: "Failed"; readonly error: Errors | NotFound; readonly cause: Cause.Cause<unknown> | undefined }
  /** With anything else, of which the client is told nothing. */
  | { readonly _tag: "Crashed"; readonly cause: Cause.Cause<unknown> };

const kinds = [Failure, Declined, Cancelled, Refused, NotFound];

const isKnown = (error: unknown): error is Errors | NotFound => kinds.some((kind) => error instanceof kind);

/** Reads the exit of a handler. */
export const ended = (exit: Exit.Exit<unknown, unknown>): Ended => {
  if (Exit.isSuccess(exit)) return { _tag: "Success", value: exit.value };
  const { cause } = exit;
  for (const reason of cause.reasons) {
    if (Cause.isFailReason(reason) && isKnown(reason.error)) {
      return { _tag: "Failed", error: reason.error, cause: Cause.hasDies(cause) ? cause : undefined };
    }
  }
  return { _tag: "Crashed", cause };
};

/** A cause for the log that says what is wrong with what a handler returned. */
export const mistake = (message: string): Cause.Cause<never> => Cause.die(new TypeError(message));

/** What the client is told of a failure of a feature that has no error results: prompts and resources. */
export const toFault = (error: Errors | NotFound): Fault => {
  switch (error._tag) {
    case "ResourceNotFound":
      return invalidParams(error.message, 200, { uri: error.uri });
    case "ToolFailure":
      return internal(error.text);
    case "Declined":
      return internal(error.message, { key: error.key, action: "decline" });
    case "Cancelled":
      return internal(error.message, { key: error.key, action: "cancel" });
    case "Refused":
      return internal(error.message, { key: error.key, action: "refuse" });
  }
};
