import { createNaming } from "../../naming/naming.js";
import { LogLevels } from "../../telemetry/log-levels.js";
import { createLogger, type Logger } from "../../telemetry/logger.js";
import { sanitizeLine } from "../../telemetry/sanitize-line.js";
import type { Options } from "../options/options.js";
import type { WriteLine } from "./bounded-output.js";
import { hostSystem } from "./log-file.js";
import { logOutput } from "./log-output.js";

/** Creates the log by the options, which may send lines to files. Throws an `Error` that names the option whose file cannot be opened. */
export function createServerLog(options: Options, standardError: WriteLine): Logger {
  const { commandName: program } = createNaming(options.apiProfile);
  return createLogger({
    levels: new LogLevels(options.v, options.vmodule),
    write: logOutput({ options, standardError, program, system: hostSystem() }),
    now: () => new Date(),
    sanitize: options.experimentalLoggingSanitization ? sanitizeLine : undefined,
    headers: !options.skipHeaders,
  });
}
