/** Figures: what was measured, how it is printed, and how it is written down. */

/** The middle value, and the quartiles around it: what a busy machine does to single rounds stays out. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The spread of `values`. */
export const spread = (values: ReadonlyArray<number>): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))]!;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
};

/** How many times `own` goes into `other`, round by round. */
const ratio = (other: ReadonlyArray<number>, own: ReadonlyArray<number>): Spread =>
  spread(other.map((value, round) => value / own[round]!));

/** What one contestant came to at one piece of work. */
export interface Row {
  readonly name: string;
  readonly value: Spread;
  /** How many times as long as the first contestant of the table: two where the first is twice as fast. */
  readonly times?: Spread;
}

/** One piece of work. */
export interface Table {
  /** Its letter in the list of what is measured. */
  readonly id: string;
  readonly work: string;
  readonly unit: string;
  readonly rows: ReadonlyArray<Row>;
}

/** The unit of values that are the greater the better. */
export const rate = "a second";

/** The table of values that were taken in turns; the first contestant is what the others are compared with. */
export const compared = (
  id: string,
  work: string,
  unit: string,
  values: ReadonlyMap<string, ReadonlyArray<number>>,
): Table => {
  const [own = []] = values.values();
  const rows = Array.from(values, ([name, all]) => ({
    name,
    value: spread(all),
    times: unit === rate ? ratio(own, all) : ratio(all, own),
  }));
  return { id, work, unit, rows };
};

/** The table of values that are not to be compared. */
export const alone = (
  id: string,
  work: string,
  unit: string,
  values: ReadonlyMap<string, ReadonlyArray<number>>,
): Table => ({ id, work, unit, rows: Array.from(values, ([name, all]) => ({ name, value: spread(all) })) });

/** A number in three digits, or in as many as it has before the point. */
export const digits = (value: number): string => Math.abs(value) >= 1_000 ? value.toFixed(0) : value.toPrecision(3);

const range = ({ high, low, median }: Spread, of: (value: number) => string): string =>
  low === high ? of(median) : `${of(median)} (${of(low)}-${of(high)})`;

const line = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, index) => index === 0 ? cell.padEnd(44) : cell.padStart(26)).join("").trimEnd();

/** Prints a table: medians with quartiles. */
export const print = ({ id, rows, unit, work }: Table): void => {
  const compares = rows.some(({ times }) => times !== undefined);
  console.log(`\n${line([`(${id}) ${work}`, unit, ...compares ? ["times as long as ours"] : []])}`);
  for (const { name, times, value } of rows) {
    const against = times === undefined ? [] : [range(times, (value) => `${value.toFixed(2)}x`)];
    console.log(line([`    ${name}`, range(value, digits), ...against]));
  }
};
