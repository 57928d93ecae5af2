/** What a confluent program means, said without fibers: which questions it asks in each round, and how it ends. */
import { keyOf, type Program } from "./program.ts";

/** How an evaluation ends: with a value, a failure, or waiting for the client. */
type End =
  | { readonly _tag: "Value"; readonly value: string }
  | { readonly _tag: "Failure"; readonly failure: string }
  | { readonly _tag: "Waiting" };

interface Round {
  readonly answered: ReadonlySet<string>;
  readonly cells: Map<string, number>;
  readonly asked: Set<string>;
  again: boolean;
}

/** What a client says to a key. */
export type Verdict = { readonly _tag: "Value"; readonly value: string } | {
  readonly _tag: "Failure";
  readonly failure: string;
};

const value = (value: string): End => ({ _tag: "Value", value });
const failure = (failure: string): End => ({ _tag: "Failure", failure });
const waiting: End = { _tag: "Waiting" };

/** The numbers that `compile` gives, in the same order. */
const numbered = (program: Program): ReadonlyMap<Program, number> => {
  const ids = new Map<Program, number>();
  const visit = (program: Program): void => {
    ids.set(program, ids.size);
    program.parts.forEach(visit);
  };
  visit(program);
  return ids;
};

const copied = (program: Program): Program => ({ ...program, parts: program.parts.map(copied) });

const evaluate = (root: Program, says: (key: string) => Verdict, round: Round): End => {
  const ids = numbered(root);
  const concurrent = (
    parts: ReadonlyArray<Program>,
    limit: number,
    join: (values: ReadonlyArray<string>) => string,
  ): End => {
    const ends: Array<End> = [];
    for (const part of parts) {
      if (ends.filter(({ _tag }) => _tag === "Waiting").length >= limit) break;
      const end = go(part);
      if (end._tag === "Failure") return end;
      ends.push(end);
    }
    if (ends.length < parts.length || ends.some(({ _tag }) => _tag === "Waiting")) return waiting;
    return value(join(ends.map((end) => end._tag === "Value" ? end.value : "")));
  };
  const then = (end: End, f: (value: string) => End): End => end._tag === "Value" ? f(end.value) : end;
  const go = (program: Program): End => {
    const { n, op, parts } = program;
    const id = ids.get(program)!;
    const [a, b, c] = parts as [Program, Program, Program];
    switch (op) {
      case "pure":
        return value(`p${id}`);
      case "ask":
      case "confirm": {
        const key = keyOf(program, id);
        if (round.answered.has(key)) return says(key);
        round.asked.add(key);
        return waiting;
      }
      case "step":
        return n % 3 === 1 ? failure(`Oops:step-${id}`) : value(`did step-${id}`);
      case "cell": {
        const next = (round.cells.get(`cell-${id}`) ?? 0) + 1;
        round.cells.set(`cell-${id}`, next);
        return value(`n${next}`);
      }
      case "again":
        if (round.cells.has(`again-${id}`)) return value("again");
        round.cells.set(`again-${id}`, 1);
        round.again = true;
        return waiting;
      case "commit":
        return value(`c${id}`);
      case "sleep":
        return value("slept");
      case "yield":
        return value("y");
      case "promise":
        return value("q");
      case "fail":
        return failure(`Oops:fail-${id}`);
      case "exit": {
        const end = go(a);
        return end._tag === "Waiting" ? end : value(end._tag === "Value" ? `ok(${end.value})` : "ko");
      }
      case "fork":
      case "detach":
      case "scoped":
      case "uninterruptible":
      case "timeout":
        return go(a);
      case "retry": {
        const end = go(a);
        return end._tag === "Failure" ? go(a) : end;
      }
      case "optional":
        return then(go(a), (inner) => value(n % 2 === 0 ? inner : "none"));
      case "catch": {
        const end = go(a);
        return end._tag === "Failure" ? then(go(b), (inner) => value(`caught(${end.failure},${inner})`)) : end;
      }
      case "catchCause": {
        const end = go(a);
        return end._tag === "Failure" ? then(go(b), (inner) => value(`cause(${inner})`)) : end;
      }
      case "if":
        return then(go(a), (inner) => go(inner.includes("y") || inner.includes("true") ? b : c));
      case "seq":
        return concurrent(parts, 1, (values) => `(${values.join(";")})`);
      case "par":
        return concurrent(parts, [1, 2, 3, 3][n % 4]!, (values) => `[${values.join(",")}]`);
      case "needAll":
        return concurrent(parts, 3, (values) => `<${values.join(",")}>`);
      case "semaphore":
        return concurrent(parts, 1, (values) => `{${values.join(",")}}`);
      case "race":
        throw new Error("A race is not confluent");
    }
  };
  return go(root);
};

/** How the program ends, and the keys that each interim result asks for, sorted. */
export interface Meaning {
  readonly result: string;
  readonly asks: ReadonlyArray<ReadonlyArray<string>>;
}

/** The meaning of a confluent program, for a client that answers everything at once and validly. */
export const meaningOf = (program: Program, says: (key: string) => Verdict): Meaning => {
  // Shrinking may put one node in two places; numbers go by place.
  const root = copied(program);
  const answered = new Set<string>();
  let cells = new Map<string, number>();
  const asks: Array<ReadonlyArray<string>> = [];
  for (;;) {
    const round: Round = { answered, cells: new Map(cells), asked: new Set(), again: false };
    const end = evaluate(root, says, round);
    if (end._tag === "Value") return { result: `ok ${JSON.stringify(end.value)}`, asks };
    if (end._tag === "Failure") return { result: `fail ${end.failure.replace(":", " ")}`, asks };
    asks.push([...round.asked].sort());
    if (round.asked.size === 0 && round.again) cells = round.cells;
    for (const key of round.asked) answered.add(key);
  }
};
