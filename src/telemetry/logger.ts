import type { LogLevels } from "./log-levels.js";

/** The server's log. Values are printed as JSON; never pass secrets or bodies. */
export interface Logger {
  readonly levels: LogLevels;
  info(message: string, values?: LogValues): void;
  warn(message: string, values?: LogValues): void;
  error(message: string, error: unknown, values?: LogValues): void;
  /** Only printed when `--v`, or `--vmodule` for the file, is at least the level. */
  verbose(at: Verbosity, message: string, values?: LogValues): void;
}

/** The level of a line, and the file that logs it. */
export interface Verbosity {
  readonly level: number;
  /** Path below `src`, without extension: `controllers/namespace-controller`. */
  readonly file: string;
}

export type LogValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** Information, warnings and errors. */
export type Severity = "I" | "W" | "E";

export type WriteLog = (line: string, severity: Severity) => void;

export interface LoggerOptions {
  readonly levels: LogLevels;
  readonly write: WriteLog;
  readonly now: () => Date;
  /** Applied to every line. */
  readonly sanitize?: ((line: string) => string) | undefined;
  /** Whether lines begin with severity and time. Default true. */
  readonly headers?: boolean | undefined;
}

/**
 * Longest value, and longest message and stack of an error, that is logged, in characters: other servers and clients choose some of them.
 */
const shownMax = 4096;

/** One line per entry: `I 2026-01-02T03:04:05.678Z message key="value"`; errors are followed by their stack. */
export function createLogger(options: LoggerOptions): Logger {
  const { sanitize = (line: string) => line, headers = true } = options;
  const print = (
    severity: Severity,
    message: string,
    values: LogValues = {},
    error?: unknown,
    isWhole = false,
  ): void => {
    const shown = (value: unknown) => (typeof value === "string" && !isWhole ? startOf(value) : value);
    const pairs = Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ` ${key}=${JSON.stringify(shown(value))}`)
      .join("");
    const trace = error === undefined ? "" : `\n${describeError(error)}`;
    const header = headers ? `${severity} ${options.now().toISOString()} ` : "";
    options.write(`${sanitize(`${header}${message}${pairs}${trace}`)}\n`, severity);
  };
  return {
    levels: options.levels,
    info: (message, values) => print("I", message, values),
    warn: (message, values) => print("W", message, values),
    error: (message, error, values) => print("E", message, values, error),
    verbose({ level, file }, message, values) {
      // Whoever asks for bodies wants all of them.
      if (options.levels.of(file) >= level) print("I", message, values, undefined, true);
    },
  };
}

/** The stack of an error and of its causes. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `    ${startOf(String(error))}`;
  const stack = shownStack(error).replaceAll("\n", "\n    ");
  return error.cause === undefined
    ? `    ${stack}`
    : `    ${stack}\n  caused by\n${describeError(error.cause)}`;
}

/** A stack is the message and then the frames. */
function shownStack({ stack, message }: Error): string {
  if (stack === undefined) return startOf(message);
  if (stack.length <= 2 * shownMax) return stack;
  return `${stack.slice(0, shownMax)}…${stack.slice(-shownMax)}`;
}

/** The beginning of a text of any length. */
export function startOf(text: string): string {
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`;
}
