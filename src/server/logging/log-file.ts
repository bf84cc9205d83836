import { closeSync, fstatSync, openSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { boundedFile, type WriteLine } from "./bounded-output.js";

/** What file names and file headers contain. */
export interface LogFileSystem {
  readonly now: () => Date;
  readonly host: string;
  readonly user: string;
  readonly pid: number;
  /** Directory for files when no other is given. */
  readonly temporary: string;
}

export function hostSystem(): LogFileSystem {
  return { now: () => new Date(), host: hostname(), user: userName(), pid: process.pid, temporary: tmpdir() };
}

/** Containers run under user ids that no account has. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknownuser";
  }
}

export interface LogFileParts {
  /** Called for each file. An existing file is appended to at first, and replaced when it is full. */
  readonly path: () => string;
  readonly bytesMax: number;
  /** Whether each file begins with a few lines that describe it. */
  readonly header: boolean;
  readonly system: LogFileSystem;
}

/** A log file. Lines are written at once; those that do not fit on the disk are counted and dropped. */
export class LogFile {
  readonly #parts: LogFileParts;
  readonly #write: WriteLine;
  #descriptor: number;
  #bytes: number;

  /** Throws when the file cannot be opened. */
  constructor(parts: LogFileParts) {
    this.#parts = parts;
    this.#descriptor = openSync(parts.path(), "a");
    this.#bytes = fstatSync(this.#descriptor).size;
    this.#write = boundedFile((line) => writeSync(this.#descriptor, line));
    this.#begin();
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#parts.bytesMax) this.#next();
    this.#bytes += bytes;
    this.#write(line);
  }

  #next(): void {
    let next: number;
    try {
      next = openSync(this.#parts.path(), "w");
    } catch {
      // The old file continues to grow: a large log is better than none.
      return;
    }
    closeSync(this.#descriptor);
    this.#descriptor = next;
    this.#bytes = 0;
    this.#begin();
  }

  #begin(): void {
    const { header, system } = this.#parts;
    if (!header) return;
    const text = `Log file created at: ${system.now().toISOString()}\nRunning on machine: ${system.host}\nLog line format: [IWE] time message key="value"\n`;
    this.#bytes += text.length;
    this.#write(text);
  }
}

/**
 * `PROGRAM.HOST.USER.log.SEVERITY.YYYYMMDD-hhmmss.PID`, and a link PROGRAM.SEVERITY to it. Source: klog, `create`.
 */
export function timestampedLogFile(parts: {
  readonly directory: string;
  readonly program: string;
  readonly severity: string;
  readonly system: LogFileSystem;
}): string {
  const { directory, program, severity, system } = parts;
  const [host = ""] = system.host.split(".");
  const time = system.now().toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  const path = join(directory, `${program}.${host}.${system.user}.log.${severity}.${time}.${system.pid}`);
  const link = join(directory, `${program}.${severity}`);
  try {
    rmSync(link, { force: true });
    symlinkSync(basename(path), link);
  } catch {
    // The link is only a convenience; opening the file reports problems with the directory.
  }
  return path;
}
