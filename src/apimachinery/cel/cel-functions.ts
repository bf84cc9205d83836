import { Buffer } from "node:buffer";
import { floatText } from "../errors/go-number.js";
import { identity, isEqual } from "./cel-equality.js";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { type CelFunction, define, type FunctionRules, type Run } from "./cel-function.js";
import { libraries } from "./cel-library-functions.js";
import {
  asInt,
  asUint,
  boolOf,
  doubleOf,
  integerOf,
  intOfDouble,
  intText,
  notZero,
  uintText,
} from "./cel-numbers.js";
import { compareValues } from "./cel-order.js";
import { compiledPattern, patternSteps } from "./cel-pattern.js";
import { strings } from "./cel-string-functions.js";
import { pointCount } from "./cel-text.js";
import { secondsText, timeText } from "./cel-text-format.js";
import { timeFunctions } from "./cel-time-functions.js";
import {
  CelDuration,
  CelTimestamp,
  durationOf,
  timestampAt,
  timestampOf,
  timestampOfSeconds,
} from "./cel-times.js";
import { CelList, CelMap, CelTypeValue, CelUint, CelUrl, type CelValue, typeOfValue } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";
import { comparing, joinTexts, matching, perText, search, sum, walk } from "./function-rules.js";

const matches: Run = ([text, pattern], budget) => {
  const compiled = compiledPattern(pattern);
  budget.spend(patternSteps(text, compiled));
  return compiled.matcher(text).find();
};

const comparisons = ["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"].flatMap(
  (type) => {
    const rules: FunctionRules = type === "string" || type === "bytes" ? comparing : {};
    return [
      define(`_<_(${type}, ${type}): bool`, ([a, b]) => compareValues(a, b) < 0, rules),
      define(`_<=_(${type}, ${type}): bool`, ([a, b]) => compareValues(a, b) <= 0, rules),
      define(`_>_(${type}, ${type}): bool`, ([a, b]) => compareValues(a, b) > 0, rules),
      define(`_>=_(${type}, ${type}): bool`, ([a, b]) => compareValues(a, b) >= 0, rules),
    ];
  },
);

/** The language compares numbers of different types by their values. */
export const mixedComparisons = ["int", "uint", "double"].flatMap((left) =>
  ["int", "uint", "double"]
    .filter((right) => right !== left)
    .flatMap((right) => [
      define(`_<_(${left}, ${right}): bool`, ([a, b]) => numeric(a) < numeric(b)),
      define(`_<=_(${left}, ${right}): bool`, ([a, b]) => numeric(a) <= numeric(b)),
      define(`_>_(${left}, ${right}): bool`, ([a, b]) => numeric(a) > numeric(b)),
      define(`_>=_(${left}, ${right}): bool`, ([a, b]) => numeric(a) >= numeric(b)),
    ]),
);

function numeric(value: bigint | number | CelUint): bigint | number {
  return value instanceof CelUint ? value.value : value;
}

type OfInts = (a: bigint, b: bigint) => bigint;

const intOperators: readonly (readonly [name: string, apply: OfInts])[] = [
  ["_+_", (a, b) => a + b],
  ["_-_", (a, b) => a - b],
  ["_*_", (a, b) => a * b],
  ["_/_", (a, b) => a / notZero(b, "division by zero")],
  ["_%_", (a, b) => a % notZero(b, "modulus by zero")],
];

const elapsed =
  (apply: OfInts): Run =>
  ([a, b]) =>
    new CelDuration(asInt(apply(a.nanos, b.nanos)));

const moved =
  (apply: OfInts): Run =>
  ([a, b]) =>
    timestampAt(apply(a.nanos, b.nanos), (a instanceof CelTimestamp ? a : b).offsetMinutes);

const arithmetic = [
  ...intOperators.flatMap(([name, apply]) => [
    define(`${name}(int, int): int`, ([a, b]) => asInt(apply(a, b))),
    define(`${name}(uint, uint): uint`, ([a, b]) => asUint(apply(a.value, b.value))),
  ]),
  define("-_(int): int", ([a]) => asInt(0n - a)),
  define("_+_(double, double): double", ([a, b]) => a + b),
  define("_-_(double, double): double", ([a, b]) => a - b),
  define("_*_(double, double): double", ([a, b]) => a * b),
  define("_/_(double, double): double", ([a, b]) => a / b),
  define("-_(double): double", ([a]) => -a),
  define("!_(bool): bool", ([a]) => !a),
  define("_+_(string, string): string", ([a, b]) => a + b, joinTexts),
  define("_+_(bytes, bytes): bytes", ([a, b]) => Buffer.concat([a, b]), joinTexts),
  define("_+_(list(A), list(A)): list(A)", ([a, b], budget) => concat(a, b, budget), {
    cost: (sizes) => 1 + sum(sizes),
    estimate: callEstimates.joinLists,
  }),
  define(
    "_+_(duration, duration): duration",
    elapsed((a, b) => a + b),
  ),
  define(
    "_-_(duration, duration): duration",
    elapsed((a, b) => a - b),
  ),
  define(
    "_+_(timestamp, duration): timestamp",
    moved((a, b) => a + b),
  ),
  define(
    "_+_(duration, timestamp): timestamp",
    moved((a, b) => a + b),
  ),
  define(
    "_-_(timestamp, duration): timestamp",
    moved((a, b) => a - b),
  ),
  define(
    "_-_(timestamp, timestamp): duration",
    elapsed((a, b) => a - b),
  ),
];

const equality = [
  define("_==_(A, A): bool", ([a, b], budget) => isEqual(a, b, budget), comparing),
  define("_!=_(A, A): bool", ([a, b], budget) => !isEqual(a, b, budget), comparing),
  define("@in(A, list(A)): bool", ([a, list], budget) => contains(list, a, budget), {
    cost: ([, size = 0]) => 1 + size,
    estimate: callEstimates.findInList,
  }),
  define("@in(A, map(A, B)): bool", ([key, map]) => map.get(keyOf(key)) !== undefined),
];

/** `matches` as a function; as a method it is older. */
export const matchesFunctions = [define("matches(string, string): bool", matches, matching)];

const standard = [
  ...["string", "bytes", "list(A)", "map(A, B)"].flatMap((type) => [
    define(`size(${type}): int`, ([value], budget) => BigInt(sizeOf(value, budget))),
    define(`${type}.size(): int`, ([value], budget) => BigInt(sizeOf(value, budget))),
  ]),
  define("string.contains(string): bool", ([a, b]) => a.includes(b), {
    ...search,
    estimate: callEstimates.contains,
  }),
  define("string.startsWith(string): bool", ([a, b]) => a.startsWith(b), {
    cost: ([, b = 0]) => 1 + b * perText,
    estimate: callEstimates.hasEnd,
  }),
  define("string.endsWith(string): bool", ([a, b]) => a.endsWith(b), {
    cost: ([, b = 0]) => 1 + b * perText,
    estimate: callEstimates.hasEnd,
  }),
  define("string.matches(string): bool", matches, { ...matching, estimate: callEstimates.matches }),
  define("type(A): type", ([value]) => new CelTypeValue(typeOfValue(value))),
  define("bool(bool): bool", ([value]) => value),
  define("bool(string): bool", ([text]) => boolOf(text)),
  define("int(int): int", ([value]) => value),
  define("int(uint): int", ([value]) => asInt(value.value)),
  define("int(double): int", ([value]) => intOfDouble(value)),
  define("int(string): int", ([text]) => integerOf(text, intText), walk),
  define("int(timestamp): int", ([time]) => time.nanos / 1_000_000_000n),
  define("uint(uint): uint", ([value]) => value),
  define("uint(int): uint", ([value]) => asUint(value)),
  define("uint(double): uint", ([value]) => asUint(intOfDouble(value))),
  define("uint(string): uint", ([text]) => new CelUint(integerOf(text, uintText)), walk),
  define("double(double): double", ([value]) => value),
  define("double(int): double", ([value]) => Number(value)),
  define("double(uint): double", ([value]) => Number(value.value)),
  define("double(string): double", ([text]) => doubleOf(text), walk),
  define("string(string): string", ([value]) => value, walk),
  define("string(int): string", ([value]) => String(value)),
  define("string(uint): string", ([value]) => String(value.value)),
  define("string(double): string", ([value]) => floatText(value)),
  define("string(bool): string", ([value]) => String(value)),
  define("string(bytes): string", ([value]) => utf8Of(value), {
    ...walk,
    estimate: callEstimates.fromBytes,
  }),
  define("string(timestamp): string", ([time]) => timeText(time)),
  define("string(duration): string", ([duration]) => secondsText(duration.nanos)),
  define("bytes(bytes): bytes", ([value]) => value),
  define("bytes(string): bytes", ([text]) => Buffer.from(text, "utf8"), {
    ...walk,
    estimate: callEstimates.toBytes,
  }),
  define("timestamp(timestamp): timestamp", ([value]) => value),
  define("timestamp(string): timestamp", ([text]) => timestampOf(text), walk),
  define("timestamp(int): timestamp", ([seconds]) => timestampOfSeconds(seconds)),
  define("duration(duration): duration", ([value]) => value),
  define("duration(string): duration", ([text]) => durationOf(text), walk),
  define("duration(int): duration", ([seconds]) => new CelDuration(asInt(seconds * 1_000_000_000n))),
];

/** Functions of the language itself, and of the libraries that rules have had from the beginning. */
export function baseFunctions(): readonly CelFunction[] {
  const times = timeFunctions.map(({ signature, run, steps }) =>
    define(signature, (args, budget) => {
      budget.spend(steps);
      return run(args);
    }),
  );
  return [...comparisons, ...arithmetic, ...equality, ...standard, ...strings, ...libraries, ...times];
}

/** Bytes of a text, elements of a list, members of a map; 1 of anything else. */
export function sizeOfValue(value: CelValue): number {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof CelUrl) return value.text.length;
  return 1;
}

function sizeOf(value: CelValue, budget: CelBudget): number {
  if (typeof value !== "string") return sizeOfValue(value);
  budget.spend(value.length * perText);
  return pointCount(value);
}

function utf8Of(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelRuntimeError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function concat(a: CelList, b: CelList, budget: CelBudget): CelList {
  if (a.by.relation === undefined) return CelList.of([...a.values(), ...b.values()]);
  const merged = new Map<string, CelValue>();
  for (const value of [...a.values(), ...b.values()]) merged.set(identity(value, a.by, budget), value);
  return CelList.of([...merged.values()], a.by);
}

function contains(list: CelList, value: CelValue, budget: CelBudget): boolean {
  for (const one of list.values()) if (isEqual(one, value, budget)) return true;
  return false;
}

/** A value as a map key. */
export function keyOf(value: CelValue): string | bigint | boolean {
  if (value instanceof CelUint) return value.value;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "string" || typeof value === "bigint" || typeof value === "boolean") return value;
  throw new CelRuntimeError(`unsupported key type: ${typeOfValue(value)}`);
}

/** `isSized`: cost estimates keep the argument's size for the result of `dyn`. */
export function dynamicFunctions(isSized: boolean): readonly CelFunction[] {
  const rules = isSized ? { estimate: callEstimates.same } : {};
  return [define("dyn(A): dyn", ([value]) => value, rules)];
}
