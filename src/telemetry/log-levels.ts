/** The level of files whose name matches. */
export interface FileLevel {
  /** A glob that matches file names without extension; with a slash, paths below `src`. */
  readonly pattern: string;
  readonly level: number;
}

/** The largest value of an `Int32Array`, which the threads share. */
const levelMax = 2 ** 31 - 1;

/** The log levels: `--v`, which may change later, and `--vmodule` for single files. Source: klog, `-vmodule`. */
export class LogLevels {
  /** Holds the level of `--v`: all threads of a server look here. */
  readonly memory: SharedArrayBuffer;
  readonly #level: Int32Array;
  readonly #patterns: readonly {
    readonly matches: RegExp;
    readonly ofPath: boolean;
    readonly level: number;
  }[];
  readonly #known = new Map<string, number>();

  /** `level`: a number, or the `memory` of another thread's levels. */
  constructor(level: number | SharedArrayBuffer, files: readonly FileLevel[] = []) {
    this.memory = typeof level === "number" ? new SharedArrayBuffer(4) : level;
    this.#level = new Int32Array(this.memory);
    if (typeof level === "number") this.set(level);
    this.#patterns = files.map(({ pattern, level: ofFile }) => ({
      matches: globExpression(pattern),
      ofPath: pattern.includes("/"),
      level: ofFile,
    }));
  }

  /** Changes the level of `--v`, in all threads. */
  set(level: number): void {
    this.#level[0] = Math.min(level, levelMax);
  }

  /** The level of a file, given as its path below `src`. The first matching pattern can only raise the level of `--v`. */
  of(file: string): number {
    const ofAll = this.#level[0] ?? 0;
    return this.#patterns.length === 0 ? ofAll : Math.max(ofAll, this.#ofPatterns(file));
  }

  #ofPatterns(file: string): number {
    let level = this.#known.get(file);
    if (level === undefined) {
      const name = file.slice(file.lastIndexOf("/") + 1);
      const first = this.#patterns.find(({ matches, ofPath }) => matches.test(ofPath ? file : name));
      level = first?.level ?? 0;
      this.#known.set(file, level);
    }
    return level;
  }
}

/** `*` and `?` stop at slashes. */
function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, "[^/]*")
    .replaceAll("?", "[^/]");
  return new RegExp(`^${source}$`);
}
