/** The level of files whose name matches. */
export interface FileLevel {
  /** A glob that matches file names without extension; with a slash, paths below `src`. */
  readonly pattern: string;
  readonly level: number;
}

/** The log levels: `--v`, and `--vmodule` for single files. Source: klog, `-vmodule`. */
export class LogLevels {
  readonly #level: number;
  readonly #patterns: readonly {
    readonly matches: RegExp;
    readonly ofPath: boolean;
    readonly level: number;
  }[];
  readonly #known = new Map<string, number>();

  constructor(level: number, files: readonly FileLevel[] = []) {
    this.#level = level;
    this.#patterns = files.map(({ pattern, level: ofFile }) => ({
      matches: globExpression(pattern),
      ofPath: pattern.includes("/"),
      level: ofFile,
    }));
  }

  /** The level of a file, given as its path below `src`. The first matching pattern can only raise the level of `--v`. */
  of(file: string): number {
    if (this.#patterns.length === 0) return this.#level;
    let level = this.#known.get(file);
    if (level === undefined) {
      const name = file.slice(file.lastIndexOf("/") + 1);
      const first = this.#patterns.find(({ matches, ofPath }) => matches.test(ofPath ? file : name));
      level = Math.max(this.#level, first?.level ?? 0);
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
