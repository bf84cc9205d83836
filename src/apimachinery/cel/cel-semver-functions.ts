import { CelRuntimeError } from "./cel-error.js";
import { define, type FunctionRules } from "./cel-function.js";
import { scalarTypes, typeText } from "./cel-type.js";
import { CelOpaque, type CelValue } from "./cel-value.js";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly before: readonly (string | bigint)[];
}

const reading: FunctionRules = { cost: ([size = 0]) => 50 + size };
const typeName = typeText(scalarTypes.semver);
const lengthMax = 256;
const strict =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

function parsed(text: string): CelOpaque<Version> | undefined {
  const found = text.length > lengthMax ? null : strict.exec(text);
  if (found === null) return undefined;
  const [, major = "0", minor = "0", patch = "0", before = ""] = found;
  const parts = before === "" ? [] : before.split(".");
  if (parts.some((part) => /^0\d+$/.test(part))) return undefined;
  const value: Version = {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    before: parts.map((part) => (/^\d+$/.test(part) ? BigInt(part) : part)),
  };
  return new CelOpaque(typeName, value, `${major}.${minor}.${patch}-${before}`);
}

/** Drops a `v`, adds missing parts, and leaves out leading zeros. */
function normalized(text: string): string {
  const [, numbers = "", rest = ""] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  while (parts.length < 3) parts.push("0");
  return `${parts.join(".")}${rest}`;
}

function semverOf(text: string): CelValue {
  const version = parsed(text);
  if (version === undefined) {
    throw new CelRuntimeError(`invalid semantic version: ${JSON.stringify(text.slice(0, lengthMax))}`);
  }
  return version;
}

function compare({ value: a }: CelOpaque<Version>, { value: b }: CelOpaque<Version>): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.before.length === 0 || b.before.length === 0)
    return b.before.length - a.before.length > 0 ? 1 : -Math.sign(a.before.length);
  for (const [index, part] of a.before.entries()) {
    const other = b.before[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === "bigint" ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.before.length < b.before.length ? -1 : 0;
}

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", semver library. */
export const semverFunctions = [
  define("semver(string): semver", ([text]) => semverOf(text), reading),
  define(
    "semver(string, bool): semver",
    ([text, normalizes]) => semverOf(normalizes ? normalized(text) : text),
    reading,
  ),
  define("isSemver(string): bool", ([text]) => parsed(text) !== undefined, reading),
  define(
    "isSemver(string, bool): bool",
    ([text, normalizes]) => parsed(normalizes ? normalized(text) : text) !== undefined,
    reading,
  ),
  define("semver.major(): int", ([{ value }]) => value.numbers[0]),
  define("semver.minor(): int", ([{ value }]) => value.numbers[1]),
  define("semver.patch(): int", ([{ value }]) => value.numbers[2]),
  define("semver.compareTo(semver): int", ([a, b]) => BigInt(compare(a, b)), reading),
  define("semver.isLessThan(semver): bool", ([a, b]) => compare(a, b) < 0, reading),
  define("semver.isGreaterThan(semver): bool", ([a, b]) => compare(a, b) > 0, reading),
];
