import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Severity, WriteLog } from "../../telemetry/logger.js";
import type { Options } from "../options/options.js";
import type { WriteLine } from "./bounded-output.js";
import { LogFile, type LogFileSystem, timestampedLogFile } from "./log-file.js";

/** Severities of files, lowest first. */
const severityNames = ["INFO", "WARNING", "ERROR"] as const;

const ranks: Readonly<Record<Severity, number>> = { I: 0, W: 1, E: 2 };

const mebibyte = 1024 * 1024;
/** Source: klog, `MaxSize`. */
const fileInDirectoryBytesMax = 1800 * mebibyte;

export interface LogOutputParts {
  readonly options: Options;
  readonly standardError: WriteLine;
  /** The command: files in a directory are named after it. */
  readonly program: string;
  readonly system: LogFileSystem;
}

/**
 * Sends lines to standard error, to files or to both, as `--logtostderr` and its like say. Source: klog. Throws an `Error` that names the
 * option whose file cannot be opened.
 */
export function logOutput({ options, standardError, program, system }: LogOutputParts): WriteLog {
  if (options.logtostderr) return standardError;
  const files = openFiles(options, program, system);
  const threshold = options.alsologtostderr ? 0 : options.stderrthreshold;
  return (line, severity) => {
    const rank = ranks[severity];
    if (rank >= threshold) standardError(line);
    for (const write of files[rank] ?? []) write(line);
  };
}

/** For each severity, the files that its lines go to. */
function openFiles(options: Options, program: string, system: LogFileSystem): readonly WriteLine[][] {
  const { logFile, logDir, logFileMaxSize, oneOutput } = options;
  const header = !options.skipLogHeaders;
  if (logFile !== undefined) {
    const bytesMax = logFileMaxSize === 0 ? Number.POSITIVE_INFINITY : logFileMaxSize * mebibyte;
    const file = opened("log-file", () => new LogFile({ path: () => logFile, bytesMax, header, system }));
    return [[file], [file], [file]];
  }
  const bySeverity = severityNames.map((severity) =>
    opened("log-dir", () => {
      const path = () =>
        timestampedLogFile({ directory: logDir ?? system.temporary, program, severity, system });
      return new LogFile({ path, bytesMax: fileInDirectoryBytesMax, header, system });
    }),
  );
  // A file has the lines of its severity and of all above.
  return bySeverity.map((file, rank) => (oneOutput ? [file] : bySeverity.slice(0, rank + 1)));
}

function opened(option: string, open: () => LogFile): WriteLine {
  try {
    const file = open();
    return (line) => file.write(line);
  } catch (error) {
    throw new Error(`--${option}: ${messageOf(error)}`);
  }
}
