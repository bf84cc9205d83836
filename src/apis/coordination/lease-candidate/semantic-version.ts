/** Source: semver.org, version 2.0.0. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  /** Empty for a release. */
  readonly prerelease: readonly string[];
}

const textMax = 256;
const number = "(0|[1-9]\\d*)";
const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const pattern = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${identifiers}))?(?:\\+${identifiers})?$`);
const digits = /^\d+$/;

/** Undefined for anything else. */
export function parseSemver(text: string): SemanticVersion | undefined {
  const match = text.length > textMax ? null : pattern.exec(text);
  if (match === null) return undefined;
  const [, major = "", minor = "", patch = "", before] = match;
  const prerelease = before?.split(".") ?? [];
  if (prerelease.some((part) => digits.test(part) && part.length > 1 && part.startsWith("0")))
    return undefined;
  return { numbers: [major, minor, patch].map(BigInt), prerelease };
}

/** Negative when `a` comes before `b`. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, value] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return b.prerelease.length - a.prerelease.length;
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    if (part !== other) return comparePart(part, other);
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Numbers come before words. */
function comparePart(a: string, b: string): number {
  const [isA, isB] = [digits.test(a), digits.test(b)];
  if (isA !== isB) return isA ? -1 : 1;
  if (isA) return BigInt(a) < BigInt(b) ? -1 : 1;
  return a < b ? -1 : 1;
}
