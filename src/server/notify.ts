/** What a running call tells the client, as far as the client wants to know. */
import { type LogLevel, logLevels, type Notice, type Progress } from "../model/notice.ts";
import type { Envelope } from "../model/request.ts";

/** Takes a notice; never throws. */
export type Notify = (notice: Notice) => void;

const nobody: Notify = () => {};

const reaches = (level: LogLevel, lowest: LogLevel): boolean => logLevels.indexOf(level) >= logLevels.indexOf(lowest);

/**
 * Passes on to `emit` what the request asked for: log messages from its level on, and progress, as long as it rises, if it
 * brought a token (2026-07-28, logging and progress).
 */
export const notifier = ({ logLevel, progressToken }: Envelope, emit: Notify): Notify => {
  if (logLevel === undefined && progressToken === undefined) return nobody;
  let last = Number.NEGATIVE_INFINITY;
  const rises = ({ progress }: Progress): boolean => Number.isFinite(progress) && progress > last;
  return (notice) => {
    if (notice._tag === "Log") {
      if (logLevel !== undefined && reaches(notice.log.level, logLevel)) emit(notice);
    } else if (progressToken !== undefined && rises(notice.progress)) {
      last = notice.progress.progress;
      emit(notice);
    }
  };
};
