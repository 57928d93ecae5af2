/** Lengths of time that authors choose, and the options that name them when they are none. */
import { describe, test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import * as Duration from "effect/Duration";
import { timeOf } from "../../src/model/time.ts";
import { Need } from "@needful/mcp";
import { limitsOf } from "../../src/run/limits.ts";
import { toHint } from "../../src/server/cache.ts";
import { settings } from "../../src/transport/options.ts";
import { settings as stdioSettings } from "../../src/transport/stdio_options.ts";

// deno-lint-ignore no-explicit-any -- what only JavaScript can hand over
const untyped = (value: unknown): any => value;

describe("timeOf", () => {
  test("takes what Effect takes for a time", () => {
    for (const [input, millis] of [[0, 0], [5, 5], ["2 seconds", 2_000], [Duration.minutes(1), 60_000]] as const) {
      assertEquals(Duration.toMillis(timeOf("x", input)), millis);
    }
  });

  const wrong: ReadonlyArray<readonly [input: unknown, message: string]> = [
    ["15 secs", 'Cannot take "15 secs" for x: it is no length of time like "15 seconds"'],
    ["", 'Cannot take "" for x: it is no'],
    [Number.NaN, "Cannot take NaN for x: it is no"],
    [null, "Cannot take object for x: it is no"],
    [-1, "Cannot take -1 for x: it is below zero"],
    [-1n, "Cannot take -1 for x: it is below zero"],
    ["-1 seconds", 'Cannot take "-1 seconds" for x: it is below zero'],
    [Duration.millis(-5), "Cannot take -5ms for x: it is below zero"],
  ];
  for (const [input, message] of wrong) {
    test(message, () => {
      assertThrows(() => timeOf("x", untyped(input)), message);
    });
  }

  test("zero: is none where something is done again and again", () => {
    assertThrows(() => timeOf("x", "0 seconds", false), 'Cannot take "0 seconds" for x: it is not above zero');
  });
});

describe("options: name themselves where they are no time", () => {
  const choices: ReadonlyArray<readonly [option: string, choose: (time: unknown) => unknown]> = [
    ["keepAlive", (keepAlive) => settings(untyped({ keepAlive }))],
    ["stopWithin", (stopWithin) => settings(untyped({ stopWithin }))],
    ["subscriptions.lifetime", (lifetime) => settings(untyped({ subscriptions: { lifetime } }))],
    ...["idle", "resumeWithin", "retry", "roundTimeout", "pacing"].map((name) =>
      [`legacy.${name}`, (time: unknown) => settings(untyped({ legacy: { [name]: time } }))] as const
    ),
    ["stopWithin", (stopWithin) => stdioSettings(untyped({ stopWithin }))],
    ["drainWithin", (drainWithin) => stdioSettings(untyped({ drainWithin }))],
    ["subscriptions.lifetime", (lifetime) => stdioSettings(untyped({ subscriptions: { lifetime } }))],
    ...["gather", "steps", "unwind"].map((name) =>
      [`limits.${name}`, (time: unknown) => limitsOf(untyped({ [name]: time }))] as const
    ),
    ["a ttl", (ttl) => toHint(untyped({ ttl }))],
    [
      'the wait of the URL elicitation "pay"',
      (wait) => Need.elicitUrl("pay", untyped({ message: "Pay", url: "https://pay.example", done: null, wait })),
    ],
  ];
  for (const [option, choose] of choices) {
    test(option, () => {
      assertThrows(() => choose("15 secs"), `Cannot take "15 secs" for ${option}: `);
      assertThrows(() => choose(-1), `Cannot take -1 for ${option}: it is below zero`);
    });
  }

  test("keepAlive: is above zero, since a client would be told without end", () => {
    assertThrows(() => settings({ keepAlive: 0 }), "Cannot take 0 for keepAlive: it is not above zero");
  });

  test("legacy.mode: is one of three", () => {
    assertThrows(
      () => settings(untyped({ legacy: { mode: "none" } })),
      'Cannot serve older revisions by the mode "none": there are sessions, stateless, off',
    );
  });
});
