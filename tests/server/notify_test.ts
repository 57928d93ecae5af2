/** What a call tells its client besides its reply (2026-07-28, progress and logging; section 9, progress; B59). */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { anonymous } from "../../src/model/principal.ts";
import { type LogLevel, logLevels, type Notice, type Progress } from "../../src/model/notice.ts";
import { reporter } from "../../src/server/notify.ts";

const reporting = (progressToken?: string | number, logLevel?: LogLevel) => {
  const seen: Array<Notice> = [];
  const envelope = {
    id: 1,
    method: "tools/call",
    era: "modern",
    revision: "2026-07-28",
    client: undefined,
    capabilities: {},
    meta: {},
    header: undefined,
    principal: anonymous,
    progressToken,
    logLevel,
  } as const;
  const { alive, notify } = reporter(envelope, (notice) => seen.push(notice));
  return {
    alive,
    progress: (progress: number, total?: number) =>
      notify({ _tag: "Progress", progress: { progress, ...(total === undefined ? {} : { total }) } }),
    log: (level: LogLevel) => notify({ _tag: "Log", log: { level, data: level } }),
    values: (): ReadonlyArray<Progress> =>
      seen.flatMap((notice) => notice._tag === "Progress" ? [notice.progress] : []),
    levels: (): ReadonlyArray<LogLevel> => seen.flatMap((notice) => notice._tag === "Log" ? [notice.log.level] : []),
  };
};

describe("reporter", () => {
  test("reporter: passes on log messages from the level on, and none without one", () => {
    for (const [lowest, expected] of [[undefined, []], ["debug", logLevels], ["error", logLevels.slice(4)]] as const) {
      const { levels, log } = reporting(undefined, lowest);
      for (const level of logLevels) log(level);
      assertEquals(levels(), expected);
    }
  });

  test("reporter: drops progress that does not rise, and all of it without a token", () => {
    const { progress, values } = reporting(0);
    for (const value of [1, 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2, -1, 3]) progress(value);
    assertEquals(values().map((value) => value.progress), [1, 2, 3]);
    const without = reporting();
    without.progress(1);
    assertEquals([without.values(), without.alive()], [[], false]);
  });

  test("reporter: raises the last value negligibly for a sign of life, and repeats its total", () => {
    const { alive, progress, values } = reporting("t");
    progress(5, 10);
    for (let i = 0; i < 40; i++) assertEquals(alive(), true);
    const all = values().map((value) => value.progress);
    assert(all.every((value, index) => index === 0 || value > all[index - 1]!), String(all));
    assert(all.at(-1)! < 5.000001, String(all));
    assertEquals(new Set(values().map(({ total }) => total)), new Set([10]));
  });

  test("reporter: loses nothing that the handler reports to signs of life", () => {
    const { alive, progress, values } = reporting("t");
    alive();
    alive();
    progress(0, 2);
    alive();
    progress(1, 2);
    // Does not rise over what the handler said before, whatever was sent in between
    progress(1, 2);
    const all = values().map((value) => value.progress);
    assertEquals(all.length, 5);
    assert(all.every((value, index) => index === 0 || value > all[index - 1]!), String(all));
    assertEquals(all.map(Math.round), [0, 0, 0, 0, 1]);
    assertEquals(all.at(-1), 1);
  });
});
