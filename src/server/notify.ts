/** What a running call tells the client, as far as the client wants to know. */
import { type LogLevel, logLevels, type Notice, type Progress } from "../model/notice.ts";
import type { Envelope } from "../model/request.ts";

/** Takes a notice; never throws. */
export type Notify = (notice: Notice) => void;

const reaches = (level: LogLevel, lowest: LogLevel): boolean => logLevels.indexOf(level) >= logLevels.indexOf(lowest);

/** What one call tells the client besides its reply. */
export interface Reporter {
  /** Passes on what the client wants to know. */
  readonly notify: Notify;
  /** Says by progress that nobody has to act on that the call is alive. False if the client takes no progress. */
  readonly alive: () => boolean;
}

const silent: Reporter = { notify: () => {}, alive: () => false };

/** How much of a value, and at least of 1, progress rises by that is none. */
const negligible = 1e-9;

const above = (value: number): number =>
  value === Number.NEGATIVE_INFINITY ? 0 : value + Math.max(Math.abs(value), 1) * negligible;

/**
 * Passes on to `emit` what the request asked for: log messages from its level on, and progress, as long as it rises, if it
 * brought a token (2026-07-28, logging and progress). Progress that rises over what the handler reported before is passed
 * on even if signs of life overtook it: by a negligible amount higher then.
 */
export const reporter = ({ logLevel, progressToken }: Envelope, emit: Notify): Reporter => {
  if (logLevel === undefined && progressToken === undefined) return silent;
  let reported = Number.NEGATIVE_INFINITY;
  let sent = Number.NEGATIVE_INFINITY;
  let total: number | undefined;
  const progress = (next: Progress): void => {
    sent = next.progress;
    emit({ _tag: "Progress", progress: next });
  };
  return {
    notify: (notice) => {
      if (notice._tag === "Log") {
        if (logLevel !== undefined && reaches(notice.log.level, logLevel)) emit(notice);
        return;
      }
      const next = notice.progress;
      if (progressToken === undefined || !Number.isFinite(next.progress) || next.progress <= reported) return;
      reported = next.progress;
      total = next.total;
      progress(next.progress > sent ? next : { ...next, progress: above(sent) });
    },
    alive: () => {
      if (progressToken === undefined) return false;
      progress({ progress: above(sent), ...(total === undefined ? {} : { total }) });
      return true;
    },
  };
};
