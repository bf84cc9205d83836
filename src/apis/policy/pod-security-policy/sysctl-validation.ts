import { append } from "../../../apimachinery/collections/append.js";
import { addToList } from "../../../apimachinery/collections/groups.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";

const sysctlLengthMax = 253;
const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const format = `(${segment}\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`;
const pattern = new RegExp(`^${format}$`);

/** Names, optionally ending in `*`; `*` alone matches all. */
export function validateSysctlPatterns(sysctls: readonly string[], path: FieldPath): FieldError[] {
  const errors = errorsOfEach(sysctls, (sysctl, index) => {
    const at = path.index(index);
    if (sysctl === "") return [invalid(at, sysctl, "empty sysctl not allowed")];
    if (sysctl.length <= sysctlLengthMax && pattern.test(sysctl)) return [];
    const why = `must have at most ${sysctlLengthMax} characters and match regex ${format}`;
    return [invalid(at, sysctl, why)];
  });
  if (sysctls.includes("*") && sysctls.length > 1) {
    errors.push(forbidden(path.child("items"), "if '*' is present, must not specify other sysctls"));
  }
  return errors;
}

interface SysctlList {
  readonly sysctls: readonly string[];
  readonly path: FieldPath;
}

/** If two patterns overlap, the list with the narrower one is reported. */
export function validateNoSysctlOverlap(allowed: SysctlList, forbiddenOnes: SysctlList): FieldError[] {
  const others = new SortedPatterns(forbiddenOnes.sysctls);
  return errorsOfEach(allowed.sysctls, (one, i) =>
    others.overlapping(one).map((j) => {
      const other = forbiddenOnes.sysctls[j] ?? "";
      if (covers(other, one)) return invalid(allowed.path.index(i), one, `sysctl overlaps with ${other}`);
      return invalid(forbiddenOnes.path.index(j), other, `sysctl overlaps with ${one}`);
    }),
  );
}

/** Patterns sorted by the text before their star, so that patterns which overlap are neighbours. */
class SortedPatterns {
  /** Indexes of patterns by the text before the star. */
  readonly #places = new Map<string, number[]>();
  /** Lengths of these texts. */
  readonly #lengths: ReadonlySet<number>;
  readonly #sorted: readonly string[];
  readonly #patterns: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns;
    for (const [place, pattern] of patterns.entries()) addToList(this.#places, baseOf(pattern), place);
    const bases = [...this.#places.keys()];
    this.#lengths = new Set(bases.map(({ length }) => length));
    this.#sorted = bases.sort();
  }

  /**
   * Indexes of all patterns that match something that `pattern` matches too. Patterns too long to be valid are only compared for
   * equality.
   */
  overlapping(pattern: string): number[] {
    const base = baseOf(pattern);
    const found: number[] = [];
    for (let length = 0; length <= Math.min(base.length, sysctlLengthMax); length++) {
      const places = this.#lengths.has(length) ? this.#places.get(base.slice(0, length)) : undefined;
      if (places !== undefined) append(found, places);
    }
    if (base.length > sysctlLengthMax) append(found, this.#places.get(base) ?? []);
    if (pattern.endsWith("*")) {
      for (let at = this.#firstAfter(base); this.#sorted[at]?.startsWith(base) === true; at++) {
        append(found, this.#places.get(this.#sorted[at] ?? "") ?? []);
      }
    }
    return found
      .filter((place) => {
        const other = this.#patterns[place] ?? "";
        return covers(other, pattern) || covers(pattern, other);
      })
      .sort((a, b) => a - b);
  }

  /** The index of the first text after `base`. */
  #firstAfter(base: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? "") <= base) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function baseOf(pattern: string): string {
  return pattern.endsWith("*") ? pattern.slice(0, -1) : pattern;
}

function covers(wide: string, narrow: string): boolean {
  if (!wide.endsWith("*")) return wide === narrow;
  const prefix = wide.slice(0, -1);
  return baseOf(narrow).startsWith(prefix);
}
