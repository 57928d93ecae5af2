/** Ids of events: where in which stream of which session a client is. Opaque to clients. */

/** A place in a stream. */
export interface Place {
  readonly stream: number;
  /** The event behind which the client is. */
  readonly event: number;
}

const toText = (number: number): string => number.toString(36);

/** The id of an event; `tag` tells sessions apart. */
export const make = (tag: string, { event, stream }: Place): string => `${tag}.${toText(stream)}.${toText(event)}`;

const toNumber = (text: string): number | undefined => {
  const number = Number.parseInt(text, 36);
  return Number.isSafeInteger(number) && number >= 0 && toText(number) === text ? number : undefined;
};

/** The place that `id` stands for; undefined if it was not made in the session of `tag`. */
export const read = (tag: string, id: string): Place | undefined => {
  const [prefix, ...numbers] = id.split(".", 4);
  const [stream, event] = numbers.map(toNumber);
  if (prefix !== tag || numbers.length !== 2 || stream === undefined || event === undefined) return undefined;
  return { stream, event };
};
