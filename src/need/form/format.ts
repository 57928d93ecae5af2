/** The four formats that a text field may have (2026-07-28, client/elicitation, "Requested Schema"). */

/** A format of the protocol. */
export type Format = "email" | "uri" | "date" | "date-time";

const email = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/;
const absolute = /^[a-z][a-z0-9+.-]*:\S+$/i;
const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether `text` is a day of the calendar, like 2028-02-29 (RFC 3339, `full-date`). */
const isDay = (text: string): boolean => {
  const found = day.exec(text);
  if (found === null) return false;
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return date >= 1 && date <= (monthLengths[month - 1] ?? 0) + (leap ? 1 : 0);
};

/** The test of each format, and what it is called in the words of a person. */
export const formats: {
  readonly [F in Format]: { readonly matches: (text: string) => boolean; readonly title: string };
} = {
  email: { matches: (text) => email.test(text), title: "an e-mail address" },
  uri: { matches: (text) => absolute.test(text) && URL.canParse(text), title: "a URI" },
  date: { matches: isDay, title: "a date like 2026-07-28" },
  "date-time": {
    matches: (text) => /^t$/i.test(text.charAt(10)) && isDay(text.slice(0, 10)) && time.test(text.slice(11)),
    title: "a date and time like 2026-07-28T09:30:00Z",
  },
};

/** Whether `value` names a format of the protocol. */
export const isFormat = (value: unknown): value is Format => typeof value === "string" && Object.hasOwn(formats, value);
