/** What a handler may tell the client while the call runs. */

/** Severities of RFC 5424, lowest first. */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** All levels, lowest first. */
export const logLevels: ReadonlyArray<LogLevel> = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Whether `value` is a level. */
export const isLogLevel = (value: unknown): value is LogLevel => logLevels.some((level) => level === value);

/** How far a call is. `progress` has to rise; values that do not are dropped. */
export interface Progress {
  /** How much is done; rises. */
  readonly progress: number;
  /** How much there is to do, if it is known. */
  readonly total?: number;
  /** What is being done. */
  readonly message?: string;
}

/** A log message to the client. */
export interface LogMessage {
  /** How severe it is. */
  readonly level: LogLevel;
  /** The part of the server that says it. */
  readonly logger?: string;
  /** What it says: any JSON value. */
  readonly data: unknown;
}

/** A message that belongs to a running call. */
export type Notice =
  | { readonly _tag: "Progress"; readonly progress: Progress }
  | { readonly _tag: "Log"; readonly log: LogMessage };
