import { Buffer } from "node:buffer";
import { floatText } from "../errors/go-number.js";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { type CelFunction, define, type FunctionRules, type Run } from "./cel-function.js";
import { compiledPattern, patternSteps } from "./cel-pattern.js";
import { formatText, quotedText, secondsText, timeText } from "./cel-text-format.js";
import { timeFunctions } from "./cel-time-functions.js";
import {
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  CelUrl,
  type CelValue,
  durationOf,
  identity,
  isEqual,
  timestampOf,
  typeOfValue,
} from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

const perText = 0.1;
/** Of a text that is taken apart. */
const perPoint = 2;
const perPart = 2;
/** The cost of scanning the first argument, or all of them. */
const walk: FunctionRules = { cost: ([size = 0]) => 1 + size * perText };
const walkAll: FunctionRules = { cost: (sizes) => 1 + sum(sizes) * perText };
const eachElement: FunctionRules = { cost: ([size = 0]) => 1 + size, estimate: callEstimates.walk };
const joining: FunctionRules = { ...eachElement, estimate: callEstimates.join };
const printing: FunctionRules = { estimate: callEstimates.print };
const transform: FunctionRules = { ...walk, estimate: callEstimates.transform };
const replacing: FunctionRules = { ...walkAll, estimate: callEstimates.replace };
const split: FunctionRules = { ...walk, estimate: callEstimates.split };
const joinTexts: FunctionRules = { ...walkAll, estimate: callEstimates.joinTexts };

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

const search: FunctionRules = {
  cost: ([text = 0, part = 0]) => 1 + Math.ceil(text * perText) * Math.ceil(part * perText),
};
const searchText: FunctionRules = { ...search, estimate: callEstimates.walk };
const matching: FunctionRules = {
  cost: ([text = 0, pattern = 0]) => 1 + Math.ceil((text + 1) * perText) * Math.ceil(pattern * 0.25),
};
const finding: FunctionRules = { ...matching, estimate: callEstimates.find };

const matches: Run = ([text, pattern], budget) => {
  const compiled = compiledPattern(pattern);
  budget.spend(patternSteps(text, compiled));
  return compiled.matcher(text).find();
};

const comparing: FunctionRules = {
  cost: (sizes) => 1 + Math.min(...sizes) * perText,
  estimate: callEstimates.compare,
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
    new CelTimestamp(apply(a.nanos, b.nanos));

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
  define("matches(string, string): bool", matches, matching),
  define("dyn(A): dyn", ([value]) => value),
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
  define("string(int): string", ([value]) => String(value), printing),
  define("string(uint): string", ([value]) => String(value.value), printing),
  define("string(double): string", ([value]) => floatText(value), printing),
  define("string(bool): string", ([value]) => String(value), printing),
  define("string(bytes): string", ([value]) => utf8Of(value), {
    ...walk,
    estimate: callEstimates.fromBytes,
  }),
  define("string(timestamp): string", ([time]) => timeText(time), printing),
  define("string(duration): string", ([duration]) => secondsText(duration.nanos), printing),
  define("bytes(bytes): bytes", ([value]) => value),
  define("bytes(string): bytes", ([text]) => Buffer.from(text, "utf8"), {
    ...walk,
    estimate: callEstimates.toBytes,
  }),
  define("timestamp(timestamp): timestamp", ([value]) => value),
  define("timestamp(string): timestamp", ([text]) => timestampOf(text), walk),
  define("timestamp(int): timestamp", ([seconds]) => new CelTimestamp(seconds * 1_000_000_000n)),
  define("duration(duration): duration", ([value]) => value),
  define("duration(string): duration", ([text]) => durationOf(text), walk),
  define("duration(int): duration", ([seconds]) => new CelDuration(asInt(seconds * 1_000_000_000n))),
];

/** Source: cel-go, extension "strings". Positions count Unicode code points. */
const strings = [
  define(
    "string.charAt(int): string",
    ([text, index], budget) => {
      const all = points(text, budget);
      return all[within(index, all.length)] ?? "";
    },
    walk,
  ),
  define(
    "string.indexOf(string): int",
    ([text, part], budget) => indexIn(text, part, 0n, budget),
    searchText,
  ),
  define(
    "string.indexOf(string, int): int",
    ([text, part, from], budget) => indexIn(text, part, from, budget),
    searchText,
  ),
  define(
    "string.lastIndexOf(string): int",
    ([text, part], budget) => lastIndexIn(text, part, undefined, budget),
    searchText,
  ),
  define(
    "string.lastIndexOf(string, int): int",
    ([text, part, from], budget) => lastIndexIn(text, part, from, budget),
    searchText,
  ),
  define("string.lowerAscii(): string", ([text]) => shiftLetters(text, upperA, lowerA), transform),
  define("string.upperAscii(): string", ([text]) => shiftLetters(text, lowerA, upperA), transform),
  define("string.trim(): string", ([text]) => text.replace(/^[\s\u0085]+/u, "").trimEnd(), transform),
  define(
    "string.substring(int): string",
    ([text, from], budget) => slice(text, from, undefined, budget),
    transform,
  ),
  define(
    "string.substring(int, int): string",
    ([text, from, to], budget) => slice(text, from, to, budget),
    transform,
  ),
  define(
    "string.replace(string, string): string",
    ([text, from, to], budget) => replace(text, from, to, -1n, budget),
    replacing,
  ),
  define(
    "string.replace(string, string, int): string",
    ([text, from, to, limit], budget) => replace(text, from, to, limit, budget),
    replacing,
  ),
  define(
    "string.split(string): list(string)",
    ([text, by], budget) => CelList.of(splitText(text, by, -1n, budget)),
    split,
  ),
  define(
    "string.split(string, int): list(string)",
    ([text, by, limit], budget) => CelList.of(splitText(text, by, limit, budget)),
    split,
  ),
  define("list(string).join(): string", ([list], budget) => join(list, "", budget), joining),
  define("list(string).join(string): string", ([list, by], budget) => join(list, by, budget), joining),
];

/** What version 2 of the extension adds. */
export const newerStrings = [
  define(
    "string.format(list(dyn)): string",
    ([template, values], budget) => formatText(template, values, budget),
    walk,
  ),
  define("strings::quote(string): string", ([text], budget) => quotedText(text, budget), walk),
];

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", the libraries of lists, regular expressions and URLs. */
const libraries = [
  ...["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"].map((type) =>
    define(`list(${type}).isSorted(): bool`, ([list]) => isSorted(list), eachElement),
  ),
  define(
    "list(int).sum(): int",
    ([list]) => [...list.values()].reduce((total, value) => asInt(total + value), 0n),
    eachElement,
  ),
  define(
    "list(uint).sum(): uint",
    ([list]) =>
      [...list.values()].reduce((total, value) => asUint(total.value + value.value), new CelUint(0n)),
    eachElement,
  ),
  define(
    "list(double).sum(): double",
    ([list]) => [...list.values()].reduce((total, value) => total + value, 0),
    eachElement,
  ),
  define(
    "list(duration).sum(): duration",
    ([list]) =>
      [...list.values()].reduce(
        (total, value) => new CelDuration(asInt(total.nanos + value.nanos)),
        new CelDuration(0n),
      ),
    eachElement,
  ),
  ...["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"].flatMap((type) => [
    define(`list(${type}).min(): ${type}`, ([list]) => extreme(list, "min", -1), eachElement),
    define(`list(${type}).max(): ${type}`, ([list]) => extreme(list, "max", 1), eachElement),
  ]),
  define(
    "list(A).indexOf(A): int",
    ([list, value], budget) => BigInt([...list.values()].findIndex((one) => isEqual(one, value, budget))),
    eachElement,
  ),
  define(
    "list(A).lastIndexOf(A): int",
    ([list, value], budget) => BigInt([...list.values()].findLastIndex((one) => isEqual(one, value, budget))),
    eachElement,
  ),
  define(
    "string.find(string): string",
    ([text, pattern], budget) => {
      const compiled = compiledPattern(pattern);
      budget.spend(patternSteps(text, compiled));
      const found = compiled.matcher(text);
      return found.find() ? (found.group() ?? "") : "";
    },
    finding,
  ),
  define(
    "string.findAll(string): list(string)",
    ([text, pattern], budget) => CelList.of(findAll(text, pattern, -1n, budget)),
    finding,
  ),
  define(
    "string.findAll(string, int): list(string)",
    ([text, pattern, limit], budget) => CelList.of(findAll(text, pattern, limit, budget)),
    finding,
  ),
  define("url(string): url", ([text], budget) => urlOf(text, budget), {
    ...walk,
    estimate: callEstimates.scan,
  }),
  define("isURL(string): bool", ([text], budget) => isUrl(text, budget), walk),
  define(
    "url.getScheme(): string",
    ([{ text, url }]) => (text.startsWith("/") ? "" : url.protocol.slice(0, -1)),
    walk,
  ),
  define("url.getHost(): string", ([{ text }]) => hostOf(text), walk),
  define(
    "url.getHostname(): string",
    ([{ text }]) =>
      hostOf(text)
        .replace(/:\d*$/, "")
        .replace(/^\[(.*)\]$/, "$1"),
    walk,
  ),
  define("url.getPort(): string", ([{ text }]) => /:(\d*)$/.exec(hostOf(text))?.[1] ?? "", walk),
  define(
    "url.getEscapedPath(): string",
    ([{ text, url }]) => (/^[a-z+.-]+:\/\/[^/?#]*$/i.test(text) ? "" : url.pathname),
    walk,
  ),
  define("url.getQuery(): map(string, list(string))", ([{ url }], budget) => queryOf(url, budget), walk),
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

/** The order of two values of one type that has one. */
export function compareValues(a: CelValue, b: CelValue): number {
  if (a instanceof CelUint && b instanceof CelUint) return order(a.value, b.value);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return order(a.nanos, b.nanos);
  if (a instanceof CelDuration && b instanceof CelDuration) return order(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (typeof a === "number" && typeof b === "number")
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  return order(a as bigint | boolean, b as bigint | boolean); // nothing else can be compared
}

/** By code points, which is the order of units but for surrogates. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function order<T extends bigint | boolean>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const intMin = -(2n ** 63n);
const intMax = 2n ** 63n - 1n;
const uintMax = 2n ** 64n - 1n;

interface IntegerRange {
  readonly type: string;
  readonly pattern: RegExp;
  readonly min: bigint;
  readonly max: bigint;
}

const intText: IntegerRange = { type: "int", pattern: /^[+-]?\d{1,64}$/, min: intMin, max: intMax };
const uintText: IntegerRange = { type: "uint", pattern: /^\d{1,64}$/, min: 0n, max: uintMax };

function asInt(value: bigint): bigint {
  if (value < intMin || value > intMax) throw new CelRuntimeError("integer overflow");
  return value;
}

function asUint(value: bigint): CelUint {
  if (value < 0n || value > uintMax) throw new CelRuntimeError("unsigned integer overflow");
  return new CelUint(value);
}

function notZero(value: bigint, problem: string): bigint {
  if (value === 0n) throw new CelRuntimeError(problem);
  return value;
}

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new CelRuntimeError("integer overflow");
  return asInt(BigInt(Math.trunc(value)));
}

function notConvertible(type: string): CelRuntimeError {
  return new CelRuntimeError(`type conversion error from 'string' to '${type}'`);
}

function integerOf(text: string, { type, pattern, min, max }: IntegerRange): bigint {
  const value = pattern.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
  if (value === undefined || value < min || value > max) throw notConvertible(type);
  return value;
}

function doubleOf(text: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    if (special[2]?.toLowerCase() === "nan") return Number.NaN;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.length > 400 || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    throw notConvertible("double");
  }
  return Number(text);
}

function boolOf(text: string): boolean {
  if (["1", "t", "true", "TRUE", "True", "T"].includes(text)) return true;
  if (["0", "f", "false", "FALSE", "False", "F"].includes(text)) return false;
  throw notConvertible("bool");
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

const surrogate = /[\ud800-\udfff]/;

/** The code points of a text; for most texts they are its units. */
function points(text: string, budget: CelBudget): ArrayLike<string> {
  if (!surrogate.test(text)) return text;
  budget.spend(text.length * perPoint);
  return [...text];
}

function pointCount(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _point of text) count++;
  return count;
}

function within(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelRuntimeError(`index out of range: ${index}`);
  return Number(index);
}

function indexIn(text: string, part: string, from: bigint, budget: CelBudget): bigint {
  const all = points(text, budget);
  const start = within(from, all.length);
  if (part === "") return from;
  if (typeof all === "string") return BigInt(all.indexOf(part, start));
  const units = sliceOf(all, 0, start).length;
  const found = text.indexOf(part, units);
  return found < 0 ? -1n : BigInt(pointCount(text.slice(0, found)));
}

function lastIndexIn(text: string, part: string, from: bigint | undefined, budget: CelBudget): bigint {
  const all = points(text, budget);
  const start = within(from ?? BigInt(all.length), all.length);
  if (part === "") return BigInt(start);
  const found = text.lastIndexOf(part, sliceOf(all, 0, start).length);
  return found < 0 ? -1n : BigInt(pointCount(text.slice(0, found)));
}

function slice(text: string, from: bigint, to: bigint | undefined, budget: CelBudget): string {
  const all = points(text, budget);
  const start = within(from, all.length);
  const end = within(to ?? BigInt(all.length), all.length);
  if (start > end) throw new CelRuntimeError(`invalid substring range. start: ${start}, end: ${end}`);
  return sliceOf(all, start, end);
}

function sliceOf(all: ArrayLike<string>, start: number, end: number): string {
  return typeof all === "string" ? all.slice(start, end) : Array.from(all).slice(start, end).join("");
}

const lowerA = 0x61;
const upperA = 0x41;
const letters = 26;

/** The ASCII letters from `from` on become those from `to` on. */
function shiftLetters(text: string, from: number, to: number): string {
  const units = Buffer.from(text, "utf16le");
  for (let at = 0; at < units.length; at += 2) {
    const letter = (units[at] ?? 0) - from;
    if (units[at + 1] === 0 && letter >= 0 && letter < letters) units[at] = to + letter;
  }
  return units.toString("utf16le");
}

function replace(text: string, from: string, to: string, limit: bigint, budget: CelBudget): string {
  if (limit === 0n) return text;
  if (from === "" && text === "") return to;
  const isBounded = limit > 0n;
  // An empty text is found before each code point, and at the end.
  const found = from === "" ? limit : limit + 1n;
  const parts = splitText(text, from, isBounded ? found : -1n, budget);
  budget.spend((text.length + parts.length * to.length) * perText);
  const made = parts.join(to);
  if (from !== "") return made;
  return isBounded && BigInt(parts.length) === limit ? to + made : to + made + to;
}

/** At most `limit` parts, unless it is negative; by code points if `by` is empty. */
function splitText(text: string, by: string, limit: bigint, budget: CelBudget): string[] {
  if (limit === 0n) return [];
  const partsMax = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  if (by === "") return splitPoints(text, partsMax, budget);
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const end = parts.length + 1 < partsMax ? text.indexOf(by, from) : -1;
    if (end < 0) {
      parts.push(text.slice(from));
      return parts;
    }
    budget.spend(perPart);
    parts.push(text.slice(from, end));
    from = end + by.length;
  }
}

function splitPoints(text: string, partsMax: number, budget: CelBudget): string[] {
  const all = points(text, budget);
  const whole = all.length <= partsMax ? all.length : partsMax - 1;
  budget.spend(whole * perPart);
  const parts = Array.from({ length: whole }, (_, index) => all[index] ?? "");
  if (whole < all.length) parts.push(sliceOf(all, whole, all.length));
  return parts;
}

function join(list: CelList, by: string, budget: CelBudget): string {
  const parts = [...list.values()].map((value) => {
    if (typeof value !== "string") throw new CelRuntimeError("join(): the list must hold texts only");
    budget.spend((value.length + by.length) * perText);
    return value;
  });
  return parts.join(by);
}

function isSorted(list: CelList): boolean {
  for (let index = 1; index < list.size; index++)
    if (compareValues(list.at(index - 1), list.at(index)) > 0) return false;
  return true;
}

function extreme(list: CelList, name: string, sign: number): CelValue {
  let found: CelValue | undefined;
  for (const value of list.values()) {
    if (found === undefined || compareValues(value, found) * sign > 0) found = value;
  }
  if (found === undefined) throw new CelRuntimeError(`${name} called on empty list`);
  return found;
}

function findAll(text: string, pattern: string, limit: bigint, budget: CelBudget): string[] {
  const compiled = compiledPattern(pattern);
  budget.spend(patternSteps(text, compiled));
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    budget.spend(10);
    found.push(matcher.group() ?? "");
  }
  return found;
}

const someHost = "http://a";

/** Parsing takes some microseconds. */
const urlSteps = 200;

function urlOf(text: string, budget: CelBudget): CelUrl {
  budget.spend(urlSteps + text.length);
  try {
    if (text.startsWith("/")) return new CelUrl(text, new URL(text, someHost));
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return new CelUrl(text, new URL(text));
  } catch {
    // The error is reported below.
  }
  throw new CelRuntimeError(
    `URL parse error during conversion from string: parse ${JSON.stringify(text.slice(0, 256))}: invalid URI for request`,
  );
}

function isUrl(text: string, budget: CelBudget): boolean {
  try {
    urlOf(text, budget);
    return true;
  } catch (error) {
    if (error instanceof CelRuntimeError) return false;
    throw error;
  }
}

/** As written: a standard port is kept. */
function hostOf(text: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(text)?.[1] ?? "";
}

function queryOf(url: URL, budget: CelBudget): CelMap {
  budget.spend(url.search.length * 8);
  const all = new Map<string, string[]>();
  for (const [name, value] of url.searchParams) {
    const same = all.get(name);
    if (same === undefined) all.set(name, [value]);
    else same.push(value);
  }
  return CelMap.of(new Map([...all].map(([name, values]) => [name, CelList.of(values)])));
}
