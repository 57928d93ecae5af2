/** Generated programs: plain data that fast-check can generate and shrink. */
import fc from "fast-check";

/** Programs without parts. */
const leaves = [
  "pure",
  "ask",
  "confirm",
  "step",
  "cell",
  "again",
  "commit",
  "sleep",
  "yield",
  "promise",
  "fail",
] as const;

/** Programs with one part. */
const wrappers = [
  "exit",
  "fork",
  "detach",
  "scoped",
  "retry",
  "uninterruptible",
  "timeout",
  "optional",
] as const;

/** Programs with two parts. */
const pairs = ["catch", "catchCause", "race"] as const;

/** Programs with two or three parts. */
const lists = ["seq", "par", "needAll", "semaphore"] as const;

export type Op = typeof leaves[number] | typeof wrappers[number] | typeof pairs[number] | typeof lists[number] | "if";

/** A program: `n` chooses among its variants, `id` names what it does. */
export interface Program {
  readonly op: Op;
  readonly n: number;
  readonly parts: ReadonlyArray<Program>;
}

/** Asks whose `n` is this much or more share a key with others. */
const shared = 13;

/** The key of an ask or confirm. */
export const keyOf = ({ n, op }: Program, id: number): string =>
  n >= shared ? `${op}-shared-${n - shared}` : `${op}-${id}`;

/** Variants of a node. */
const variants = 16;

/** What a law generates. */
export interface Grammar {
  /** Operations that do not occur. */
  readonly without: ReadonlyArray<Op>;
}

const pick = <A extends Op>(ops: ReadonlyArray<A>, grammar: Grammar): ReadonlyArray<A> =>
  ops.filter((op) => !grammar.without.includes(op));

/** Programs of a grammar, four levels deep. */
export const programs = (grammar: Grammar): fc.Arbitrary<Program> => {
  const n = fc.nat({ max: variants - 1 });
  const made = <A extends Op>(ops: ReadonlyArray<A>, parts: fc.Arbitrary<ReadonlyArray<Program>>) =>
    fc.record({ op: fc.constantFrom(...pick(ops, grammar)), n, parts });
  const leaf = made(["ask", "ask", "ask", ...leaves], fc.constant([]));
  const level: fc.Memo<Program> = fc.memo((depth) => {
    if (depth <= 1) return leaf;
    const part = level();
    return fc.oneof(
      { withCrossShrink: true },
      { weight: 2, arbitrary: leaf },
      { weight: 5, arbitrary: made(["seq", "seq", ...lists], fc.array(part, { minLength: 2, maxLength: 3 })) },
      { weight: 2, arbitrary: made(wrappers, fc.tuple(part)) },
      { weight: 2, arbitrary: made(pairs, fc.tuple(part, part)) },
      { weight: 1, arbitrary: made(["if"], fc.tuple(part, part, part)) },
    );
  });
  return level(5);
};

const node = (op: Op, ...parts: ReadonlyArray<Program>): Program => ({ op, n: 0, parts });

const isConcurrent = ({ op }: Program): boolean => ["par", "needAll", "semaphore", "fork", "detach"].includes(op);

/** The program with the failures of concurrent branches handled inside of them, and no short time limit: confluent. */
export const confined = (program: Program): Program => {
  const parts = program.parts.map(confined);
  if (program.op === "timeout") return { ...program, n: 1, parts };
  return { ...program, parts: isConcurrent(program) ? parts.map((part) => node("catch", part, node("pure"))) : parts };
};

const some = (program: Program, holds: (program: Program) => boolean): boolean =>
  holds(program) || program.parts.some((part) => some(part, holds));

const awake = (program: Program): Program => ({
  ...program,
  op: program.op === "sleep" ? "yield" : program.op,
  parts: program.parts.map(awake),
});

/**
 * The program without sleeps, if something in it starts again beside them: whether a branch is still asleep when another
 * one does so, or already starts again too, is a race with the clock, and cells tell how many passes there were.
 */
export const unhurried = (program: Program): Program => {
  const restarts = (program: Program): boolean => some(program, ({ op }) => op === "again");
  return some(program, (part) => isConcurrent(part) && restarts(part)) ? awake(program) : program;
};

/**
 * The program without sleeps that do not hold a round open: those outside of a branch of `Need.all`, and those in one
 * that can ask before it sleeps because it is concurrent itself.
 */
export const calm = (program: Program, held = false): Program => {
  if (program.op === "sleep" && !held) return { ...program, op: "yield" };
  const inside = program.op === "needAll" || (held && !["par", "semaphore"].includes(program.op));
  return { ...program, parts: program.parts.map((part) => calm(part, inside)) };
};

/** The program as short text. */
export const show = ({ n, op, parts }: Program): string =>
  `${op}${n}${parts.length > 0 ? `(${parts.map(show).join(", ")})` : ""}`;
