/** What kinds of reply a client takes, by its `Accept` header (RFC 9110, section 12.5.1). */

/** What a client takes. Neither: it can be told nothing but 406. */
export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

const weight = /^q\s*=\s*([0-9.]+)$/;

const parse = (header: string): ReadonlyArray<Range> =>
  header.toLowerCase().split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const stated = parameters.map((parameter) => weight.exec(parameter)?.[1]).find((found) => found !== undefined);
    return { type, quality: stated === undefined ? 1 : Number(stated) };
  });

/** Whether `type` is acceptable: the most specific range that matches decides. */
const takes = (ranges: ReadonlyArray<Range>, type: string): boolean => {
  const [main] = type.split("/");
  const match = [type, `${main}/*`, "*/*"].map((name) => ranges.find((range) => range.type === name))
    .find((found) => found !== undefined);
  return match !== undefined && match.quality > 0;
};

const anything: Accepts = { json: true, stream: true };
const known = new Map<string, Accepts>();
const maxKnown = 64;

/** Reads an `Accept` header. One that is absent or empty accepts anything. */
export const read = (header: string | undefined): Accepts => {
  if (header === undefined || header.trim() === "") return anything;
  const kept = known.get(header);
  if (kept !== undefined) return kept;
  const ranges = parse(header);
  const accepts = { json: takes(ranges, "application/json"), stream: takes(ranges, "text/event-stream") };
  if (known.size < maxKnown) known.set(header, accepts);
  return accepts;
};
