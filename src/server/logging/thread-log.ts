import type { LogEntry } from "../../serving/lanes/lane-messages.js";
import type { LogLevels } from "../../telemetry/log-levels.js";
import type { Logger } from "../../telemetry/logger.js";

/** The log of another thread, whose lines the main one writes. */
export function threadLog(levels: LogLevels, post: (entry: LogEntry) => void): Logger {
  return {
    levels,
    info: (message, values) => post({ severity: "info", message, values, stack: undefined }),
    warn: (message, values) => post({ severity: "warn", message, values, stack: undefined }),
    error: (message, error, values) => post({ severity: "error", message, values, stack: stackOf(error) }),
    verbose(at, message, values) {
      if (levels.of(at.file) >= at.level) post({ severity: at, message, values, stack: undefined });
    },
  };
}

/** Writes a line of another thread. */
export function writeLogEntry(log: Logger, { severity, message, values, stack }: LogEntry): void {
  if (severity === "info" || severity === "warn") log[severity](message, values);
  else if (severity === "error") log.error(message, withStack(stack), values);
  else log.verbose(severity, message, values);
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${stackOf(error.cause)}`;
}

function withStack(stack = ""): Error {
  const error = new Error();
  error.stack = stack;
  return error;
}
