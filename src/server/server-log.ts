import { LogLevels } from "../telemetry/log-levels.js";
import { createLogger, type Logger } from "../telemetry/logger.js";
import { sanitizeLine } from "../telemetry/sanitize-line.js";
import type { Options } from "./options/options.js";

/** Creates the log by the options. */
export function createServerLog(options: Options, write: (line: string) => void): Logger {
  return createLogger({
    levels: logLevelsOf(options),
    write,
    now: () => new Date(),
    sanitize: options.experimentalLoggingSanitization ? sanitizeLine : undefined,
  });
}

export function logLevelsOf({ v, vmodule }: Options): LogLevels {
  return new LogLevels(v, vmodule);
}
