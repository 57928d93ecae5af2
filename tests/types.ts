/** What tests of types are written with: `deno check` of them is the test. */

/** Whether two types are the same. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

/** Does not compile unless its argument is `true`. */
export const same = <_Holds extends true>(): void => {};

/** Type checks only: nothing in it is meant to run. */
export const check = (_: () => unknown): void => {};
