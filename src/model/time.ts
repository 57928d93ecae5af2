/** Lengths of time, as authors choose them. */
import * as Duration from "effect/Duration";
import * as Option from "effect/Option";

const shown = (input: unknown): string => {
  if (typeof input === "string") return JSON.stringify(input);
  if (Duration.isDuration(input)) return Duration.format(input);
  return typeof input === "number" || typeof input === "bigint" ? String(input) : typeof input;
};

/** What is wrong with `time`; undefined if nothing is. */
const faultOf = (time: Option.Option<Duration.Duration>, zero: boolean): string | undefined => {
  if (Option.isNone(time)) return 'it is no length of time like "15 seconds"';
  const millis = Duration.toMillis(time.value);
  if (millis < 0) return "it is below zero";
  return millis === 0 && !zero ? "it is not above zero" : undefined;
};

/** The time that `input` is; a number is in milliseconds. Throws, naming the `option`, where it is none from zero on. */
export const timeOf = (option: string, input: Duration.Input, zero = true): Duration.Duration => {
  const time = Number.isNaN(input) ? Option.none() : Duration.fromInput(input);
  const fault = faultOf(time, zero);
  if (fault !== undefined) throw new RangeError(`Cannot take ${shown(input)} for ${option}: ${fault}`);
  return Option.getOrThrow(time);
};
