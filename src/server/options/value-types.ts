import { type ApiLevel, isAtLeast, type LevelRange } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { formatCommaSeparated, parseCommaSeparated } from "./comma-separated.js";
import { formatGoDuration, parseGoDuration } from "./go-duration.js";
import type { OptionDeclaration, ParseResult } from "./option.js";

/** Attributes of all options. */
export interface Description<T> extends LevelRange {
  readonly help: string;
  readonly shorthand?: string;
  readonly deprecatedSince?: ApiLevel;
  readonly check?: (value: T, flag: string, level: ApiLevel) => string | undefined;
}

type Default<T> = T | ((naming: Naming, level: ApiLevel) => T);
type Defaulted<T> = Description<T> & { readonly default: Default<T> };
type Described<T> = Description<T> & { readonly default?: never };

/** The default from a level on. */
interface LaterDefault<T> {
  readonly since: ApiLevel;
  readonly default: T;
}

function defaultAt<T>(level: ApiLevel, initial: T, later: LaterDefault<T> | undefined): T {
  return later !== undefined && isAtLeast(level, later.since) ? later.default : initial;
}

/** A switch, which takes a value only after "=": `--profiling=false`. */
export function bool(
  description: Description<boolean> & {
    readonly default?: boolean;
    readonly later?: LaterDefault<boolean>;
  },
): OptionDeclaration<boolean> {
  const { default: initial = false, later } = description;
  return declare(description, (_, level) => defaultAt(level, initial, later), {
    typeName: "",
    parse: parseBool,
    format: String,
  });
}

export function int(
  description: Description<number> & {
    readonly default?: number;
    readonly later?: LaterDefault<number>;
  },
): OptionDeclaration<number> {
  const { default: initial = 0, later } = description;
  return declare(description, (_, level) => defaultAt(level, initial, later), {
    typeName: "int",
    parse: parseInteger,
    format: (value) => (value === 0 && description.default === undefined ? "" : String(value)),
  });
}

export function float(
  description: Description<number> & { readonly default?: number },
): OptionDeclaration<number> {
  return declare(description, description.default ?? 0, {
    typeName: "float",
    parse: parseFloatingPoint,
    format: (value) => (value === 0 && description.default === undefined ? "" : String(value)),
  });
}

/** Milliseconds, from `1h0m0s`. */
export function duration(
  description: Description<number> & { readonly default?: string },
): OptionDeclaration<number> & { readonly unit: "Ms" } {
  const parsed = parseGoDuration(description.default ?? "0");
  if ("problem" in parsed) throw new Error(parsed.problem);
  return {
    ...declare(description, parsed.value, {
      typeName: "duration",
      parse: parseGoDuration,
      format: (ms) => (ms === 0 && description.default === undefined ? "" : formatGoDuration(ms)),
    }),
    unit: "Ms",
  };
}

/** Without a default, the value is undefined when not given or empty. */
export function text(description: Defaulted<string>): OptionDeclaration<string>;
export function text(description: Described<string>): OptionDeclaration<string | undefined>;
export function text(
  description: Defaulted<string> | Described<string>,
): OptionDeclaration<string> | OptionDeclaration<string | undefined> {
  if (description.default !== undefined) {
    return declare(description, description.default, {
      typeName: "string",
      parse: (value) => ({ value }),
      format: (value) => value,
    });
  }
  return declareOptional<string>(description, {
    typeName: "string",
    parse: (value) => ({ value: value === "" ? undefined : value }),
    format: (value) => value ?? "",
  });
}

/** One of a closed set of words; without a default, undefined when not given. */
export function choice<const Value extends string>(
  values: readonly Value[],
  description: Defaulted<Value>,
): OptionDeclaration<Value>;
export function choice<const Value extends string>(
  values: readonly Value[],
  description: Described<Value>,
): OptionDeclaration<Value | undefined>;
export function choice<const Value extends string>(
  values: readonly Value[],
  description: Defaulted<Value> | Described<Value>,
): OptionDeclaration<Value> | OptionDeclaration<Value | undefined> {
  const parse = (given: string): ParseResult<Value> => {
    const value = values.find((candidate) => candidate === given);
    if (value !== undefined) return { value };
    return { problem: `invalid value ${JSON.stringify(given)}, allowed values: ${values.join(", ")}` };
  };
  if (description.default !== undefined) {
    return declare<Value>(description, description.default, {
      typeName: "string",
      parse,
      format: (value) => value,
    });
  }
  return declareOptional<Value>(description, { typeName: "string", parse, format: (value) => value ?? "" });
}

/** Comma lists with quoting; occurrences add up. */
export function strings(
  description: Description<readonly string[]> & { readonly default?: readonly string[] },
): OptionDeclaration<readonly string[]> {
  return declare(description, description.default ?? [], {
    typeName: "strings",
    parse: (given, previous) => {
      const fields = parseCommaSeparated(given);
      return "problem" in fields ? fields : { value: [...(previous ?? []), ...fields.value] };
    },
    format: formatCommaSeparated,
  });
}

/** A comma list whose items are from a closed set of words. */
export function choices<const Value extends string>(
  values: readonly Value[],
  description: Description<readonly Value[]> & {
    readonly default?: readonly Value[];
    readonly itemName: string;
  },
): OptionDeclaration<readonly Value[]> {
  return declare(description, description.default ?? [], {
    typeName: "strings",
    parse: (given, previous) => {
      const fields = parseCommaSeparated(given);
      if ("problem" in fields) return fields;
      const items = [...(previous ?? [])];
      for (const field of fields.value) {
        const item = values.find((candidate) => candidate === field);
        if (item === undefined) {
          return {
            problem: `${description.itemName} ${JSON.stringify(field)} is unknown, allowed values: ${values.join(", ")}`,
          };
        }
        items.push(item);
      }
      return { value: items };
    },
    format: formatCommaSeparated,
  });
}

/** Each occurrence is one value, including commas. */
export function stringArray(
  description: Description<readonly string[]>,
): OptionDeclaration<readonly string[]> {
  return declare<readonly string[]>(description, [], {
    typeName: "stringArray",
    parse: (given, previous) => ({ value: [...(previous ?? []), given] }),
    format: formatCommaSeparated,
  });
}

/** Values with their own syntax, one or a list of them per occurrence. */
export function custom<T>(
  type: ValueType<T>,
  description: NoInfer<Description<T> & { readonly default: Default<T> }>,
): OptionDeclaration<T> {
  return declare(description, description.default, type);
}

export interface ValueType<T> {
  readonly typeName: string;
  readonly parse: (text: string, previous: T | undefined, naming: Naming, level: ApiLevel) => ParseResult<T>;
  readonly format: (value: T, naming: Naming) => string;
}

/** An option that is undefined when it is not given. */
function declareOptional<T>(
  { check, ...others }: Description<T>,
  type: ValueType<T | undefined>,
): OptionDeclaration<T | undefined> {
  return declare<T | undefined>(
    {
      ...others,
      ...(check && {
        check: (value, flag, level) => (value === undefined ? undefined : check(value, flag, level)),
      }),
    },
    undefined,
    type,
  );
}

function declare<T>(
  description: Description<T>,
  initial: Default<T>,
  type: ValueType<T>,
): OptionDeclaration<T> {
  const { help, shorthand, check, since, until, deprecatedSince } = description;
  return {
    typeName: type.typeName,
    help,
    shorthand,
    since,
    until,
    deprecatedSince,
    defaultValue: (naming, level) => (isFunction(initial) ? initial(naming, level) : initial),
    parse: type.parse,
    format: type.format,
    ...(check && { check }),
  };
}

/** No option has a function as value, so a function computes the default. */
function isFunction<T>(value: Default<T>): value is (naming: Naming, level: ApiLevel) => T {
  return typeof value === "function";
}

const boolWords: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((word) => [word, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((word) => [word, false] as const),
]);

/** Source: Go `strconv.ParseBool`. */
export function parseBool(given: string): ParseResult<boolean> {
  const value = boolWords.get(given);
  return value === undefined
    ? { problem: `invalid value ${JSON.stringify(given)}, expected true or false` }
    : { value };
}

/** Decimal, 0x, 0o, 0b, or a leading 0 for octal, as Go's `strconv.ParseInt` in base 0. */
export function parseInteger(given: string): ParseResult<number> {
  const problem = { problem: `invalid value ${JSON.stringify(given)}, expected an integer` };
  const match = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(given);
  if (!match) return problem;
  const [, sign = "", digits = ""] = match;
  const magnitude = Number(digits.replace(/^0(?=[0-7])/, "0o"));
  if (!Number.isSafeInteger(magnitude)) return { problem: `value ${given} is out of range` };
  return { value: sign === "-" && magnitude !== 0 ? -magnitude : magnitude };
}

function parseFloatingPoint(given: string): ParseResult<number> {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(given)) {
    return { problem: `invalid value ${JSON.stringify(given)}, expected a number` };
  }
  return { value: Number(given) };
}
