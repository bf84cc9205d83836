import { CelRuntimeError } from "./cel-error.js";
import { define, type FunctionRules } from "./cel-function.js";
import { scalarTypes, typeText } from "./cel-type.js";
import { CelOpaque, type CelValue } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly before: readonly (string | bigint)[];
}

const comparing: FunctionRules = { cost: ([size = 0]) => 50 + size };
const reading: FunctionRules = { ...comparing, estimate: callEstimates.scan };
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

/** Drops a `v`, adds missing parts, and leaves out leading zeros. Undefined for a short version with more than numbers. */
function normalized(text: string): string | undefined {
  const [, numbers = "", rest = ""] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  if (parts.length < 3 && /[+-]/.test(rest)) return undefined;
  while (parts.length < 3) parts.push("0");
  return `${parts.join(".")}${rest}`;
}

function isVersion(text: string | undefined): boolean {
  return text !== undefined && parsed(text) !== undefined;
}

function semverOf(text: string | undefined): CelValue {
  if (text === undefined) {
    throw new CelRuntimeError("short version cannot contain PreRelease/Build meta data");
  }
  const version = parsed(text);
  if (version === undefined) throw new CelRuntimeError(versionProblem(text.slice(0, lengthMax)));
  return version;
}

/** What is wrong with a version, as Kubernetes' library says it. */
function versionProblem(text: string): string {
  if (text === "") return "Version string empty";
  const [major, minor, ...patch] = text.split(".");
  if (major === undefined || minor === undefined || patch.length === 0) {
    return "No Major.Minor.Patch elements found";
  }
  const [withoutBuild = "", build] = splitAt(patch.join("."), "+");
  const [patchNumber = "", before] = splitAt(withoutBuild, "-");
  const problem =
    numberProblem("major", major) ?? numberProblem("minor", minor) ?? numberProblem("patch", patchNumber);
  if (problem !== undefined) return problem;
  for (const part of before?.split(".") ?? []) {
    if (part === "") return "Prerelease is empty";
    if (/^0\d+$/.test(part)) {
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    }
    if (!identifier.test(part)) return `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
  }
  for (const part of build?.split(".") ?? []) {
    if (part === "") return "Build meta data is empty";
    if (!identifier.test(part))
      return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
  }
  return `invalid semantic version: ${JSON.stringify(text)}`;
}

const identifier = /^[0-9A-Za-z-]+$/;

function numberProblem(name: string, number: string): string | undefined {
  const quoted = JSON.stringify(number);
  if (/\D/.test(number)) return `Invalid character(s) found in ${name} number ${quoted}`;
  if (/^0\d/.test(number)) {
    return `${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${quoted}`;
  }
  return number === "" ? `strconv.ParseUint: parsing "": invalid syntax` : undefined;
}

/** The parts before and after the first `sign`; only the first part without one. */
function splitAt(text: string, sign: string): readonly [string, string?] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
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
  define("isSemver(string): bool", ([text]) => isVersion(text), reading),
  define(
    "isSemver(string, bool): bool",
    ([text, normalizes]) => isVersion(normalizes ? normalized(text) : text),
    reading,
  ),
  define("semver.major(): int", ([{ value }]) => value.numbers[0]),
  define("semver.minor(): int", ([{ value }]) => value.numbers[1]),
  define("semver.patch(): int", ([{ value }]) => value.numbers[2]),
  define("semver.compareTo(semver): int", ([a, b]) => BigInt(compare(a, b)), comparing),
  define("semver.isLessThan(semver): bool", ([a, b]) => compare(a, b) < 0, comparing),
  define("semver.isGreaterThan(semver): bool", ([a, b]) => compare(a, b) > 0, comparing),
];
