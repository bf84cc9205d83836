import { CelRuntimeError } from "./cel-error.js";
import type { CelType } from "./cel-type.js";

/** Clauses of the templates of `format`. Source: cel-go, extension "strings". */

const precisionDefault = 6;
export const precisionMax = 20;
/** Digits of a precision that are read. */
const digitsMax = 3;

export type Verb = "b" | "d" | "e" | "f" | "o" | "s" | "x" | "X";

interface ClauseRule {
  readonly words: string;
  /** The types of values that it may print. */
  readonly kinds: readonly CelType["kind"][];
}

const integers = ["int", "uint"] as const;
const hexRule: ClauseRule = {
  words: "only integers, byte buffers, and strings can be formatted as hex",
  kinds: [...integers, "string", "bytes"],
};
/** A text names NaN or an infinity. */
const doubles = ["double", "string"] as const;

const clauseRules: Readonly<Record<Verb, ClauseRule>> = {
  b: { words: "only integers and bools can be formatted as binary", kinds: [...integers, "bool"] },
  d: { words: "decimal clause can only be used on integers", kinds: integers },
  e: { words: "scientific clause can only be used on doubles", kinds: doubles },
  f: { words: "fixed-point clause can only be used on doubles", kinds: doubles },
  o: { words: "octal clause can only be used on integers", kinds: integers },
  s: {
    words:
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    kinds: [
      "list",
      "map",
      ...integers,
      "double",
      "bool",
      "string",
      "timestamp",
      "bytes",
      "duration",
      "type",
      "null",
    ],
  },
  x: hexRule,
  X: hexRule,
};

/** Whether a clause may print values of a type. A type that is known only when the expression runs passes. */
export function mayPrint(verb: Verb, type: CelType): boolean {
  const isOpen =
    type.kind === "dyn" || type.kind === "parameter" || (type.kind === "object" && type.isOpen === true);
  return isOpen || clauseRules[verb].kinds.includes(type.kind);
}

export function wrongValueText(verb: Verb, typeName: string): string {
  return `error during formatting: ${clauseRules[verb].words}, was given ${typeName}`;
}

interface FormatClause {
  readonly verb: Verb;
  readonly precision: number;
  /** Where the clause ends in the template. */
  readonly end: number;
}

/** Reads the clause that starts with the percent sign at `at`. Throws `CelRuntimeError`. */
export function readClause(template: string, at: number): FormatClause {
  const clause = /(?:\.(\d{1,3}))?([sdfebxXo])/y;
  clause.lastIndex = at + 1;
  const found = clause.exec(template);
  if (found === null) throw brokenClause(template.slice(at + 1));
  const [, digits = String(precisionDefault), verb] = found;
  return { verb: verb as Verb, precision: Number(digits), end: clause.lastIndex };
}

/** What is wrong with a clause, from behind its percent sign. */
function brokenClause(rest: string): CelRuntimeError {
  if (rest === "") return new CelRuntimeError("unexpected end of string");
  const { precision, sign } = /^(?<precision>\.\d*)?(?<sign>.?)/su.exec(rest)?.groups ?? {};
  let problem = `unrecognized formatting clause "${sign}"`;
  if (precision !== undefined && sign === "")
    problem = "error while parsing precision: could not find end of precision specifier";
  else if (precision === ".")
    problem =
      'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
  else if (precision !== undefined && precision.length > digitsMax + 1) return longPrecision();
  return new CelRuntimeError(`could not parse formatting clause: ${problem}`);
}

export function longPrecision(): CelRuntimeError {
  return new CelRuntimeError(`precision must be at most ${precisionMax}`);
}
