import { hasErrorTextsOf } from "../errors/error-texts.js";
import { counted, type FieldError, type FieldErrorType } from "../errors/field-error.js";
import { printUntyped } from "../errors/printed-structs.js";
import { printValue, shortened } from "../errors/printed-value.js";
import { quoted } from "../errors/quoted-text.js";
import type { JsonValue } from "../json/json-value.js";
import { isNumberFormat } from "../validation/formats.js";
import type { StructuralSchema } from "./structural-schema.js";

/** The path of a value, formatted only for a problem. */
export interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
  /** Whether the step is a name that the schema does not declare. */
  readonly isAdditional?: boolean;
  /** The value before an update, if the update may keep it. */
  readonly old?: JsonValue | undefined;
}

export interface Problem {
  readonly key: string;
  readonly error: ValueError;
}

export function requiredProblem(field: string): Problem {
  return {
    key: `required ${field}`,
    error: { type: "FieldValueRequired", field, body: "Required value", breaksDeclaration: true },
  };
}

export function typeProblem(at: Place | undefined, schema: StructuralSchema, actual: string): Problem {
  const { format } = schema;
  const isCompared = format !== "" && (schema.type === "string" || isNumberFormat(format));
  if (isCompared && actual !== "null" && actual !== "string" && actual !== "array")
    return wrongType(at, formatOf(actual), format);
  const expected = schema.isIntOrString ? "integer,string" : (schema.type ?? "");
  return wrongType(at, actual, expected);
}

/** Where a schema has a format, Kubernetes compares formats instead of types. */
function formatOf(actual: string): string {
  if (actual === "integer") return "int64";
  return actual === "number" ? "float64" : "";
}

/** `given` is the name of the type or, of a format, the value. */
export function wrongType(at: Place | undefined, given: string, expected: string): Problem {
  const text = `${pathOf(at)} in body must be of type ${expected}: ${quoted(given)}`;
  return undeclared(at, text, "FieldValueTypeInvalid", `Invalid value: ${quoted(given)}: ${text}`);
}

export function invalidValue(at: Place | undefined, value: JsonValue, why: string): Problem {
  return problem(at, `Invalid value: ${shownValue(value)}`, `${pathOf(at)} in body ${why}`);
}

export function tooLong(at: Place | undefined, value: string, max: number): Problem {
  const text = `${pathOf(at)} in body should be at most ${max} chars long`;
  if (!hasOwnTypes()) {
    return undeclared(at, text, "FieldValueInvalid", `Invalid value: ${printValue(value)}: ${text}`);
  }
  const limit = hasErrorTextsOf(32) ? `more than ${counted(max, "byte")}` : `longer than ${max}`;
  return undeclared(at, text, "FieldValueTooLong", `Too long: may not be ${limit}`);
}

/** `what` are items or properties. Without types of its own, Kubernetes shows the limit of properties instead of their count. */
export function tooMany(
  at: Place | undefined,
  { count, max, what }: { readonly count: number; readonly max: number; readonly what: string },
): Problem {
  const text = `${pathOf(at)} in body should have at most ${max} ${what}`;
  if (!hasOwnTypes()) {
    const shown = what === "items" ? count : max;
    return undeclared(at, text, "FieldValueInvalid", `Invalid value: ${shown}: ${text}`);
  }
  const body = `Too many: ${count}: must have at most ${counted(max, "item")}`;
  return undeclared(at, text, "FieldValueTooMany", body);
}

export function tooFew(
  at: Place | undefined,
  { count, min, what }: { readonly count: number; readonly min: number; readonly what: string },
): Problem {
  const shown = what === "items" || hasOwnTypes() ? count : min;
  return invalidValue(at, shown, `should have at least ${min} ${what}`);
}

/** Since 1.24, wrong types and sizes have their own error types. */
function hasOwnTypes(): boolean {
  return hasErrorTextsOf(24);
}

/** Scalars print alike in both notations. */
export function shownValue(value: JsonValue): string {
  const isJson = hasErrorTextsOf(34) && typeof value === "object";
  return printValue(printUntyped(value), isJson ? "json" : "go");
}

/** Reported for the object as a whole, as kube-apiserver does. */
export function composite(at: Place | undefined, why: string): Problem {
  return problem(undefined, 'Invalid value: ""', `${quoted(pathOf(at))} ${why}`);
}

export function problem(at: Place | undefined, head: string, detail: string): Problem {
  const field = fieldOf(at);
  const error = { type: "FieldValueInvalid", field, body: `${head}: ${detail}` } as const;
  return { key: `${field} ${detail}`, error: { ...error, breaksDeclaration: false } };
}

/** `text` is the problem in the words of 1.23; equal texts are one problem. */
function undeclared(at: Place | undefined, text: string, type: FieldErrorType, body: string): Problem {
  const field = fieldOf(at);
  const shown = hasOwnTypes() ? type : "FieldValueInvalid";
  return { key: `${field} ${text}`, error: { type: shown, field, body, breaksDeclaration: true } };
}

export function fieldOf(at: Place | undefined): string {
  if (at === undefined) return noField;
  const path = pathOf(at);
  return path.startsWith(".") ? path.slice(1) : path;
}

/** In place of the path of the whole value. */
export const noField = "<nil>";

/**
 * A key in the path may be as long as the object. Kubernetes puts a dot before an additional property even when it comes first, and shows
 * indexes since 1.24.
 */
export function pathOf(last: Place | undefined): string {
  const steps: Place[] = [];
  for (let at = last; at !== undefined; at = at.parent) steps.push(at);
  let path = "";
  for (const { step, isAdditional } of steps.reverse()) {
    if (typeof step === "number") path += hasErrorTextsOf(24) ? `[${step}]` : "";
    else path += path === "" && isAdditional !== true ? step : `.${step}`;
  }
  return shortened(path);
}

export interface ValueError extends FieldError {
  /** Whether the value has another type or size than declared, or lacks a field: CEL rules cannot be checked. */
  readonly breaksDeclaration: boolean;
}

/** The problems of one schema, and how many checks passed: when several alternatives fail, the closest match is reported. */
export class Result {
  readonly problems: Problem[] = [];
  matches = 0;
  isValid = true;
  /** Whether problems are reported, not only counted: formatting them costs far more than finding them. */
  readonly #isTold: boolean;
  readonly #seen = new Set<string>();
  /** How many problems were formatted, including repeated ones. */
  #made = 0;

  constructor(isTold: boolean) {
    this.#isTold = isTold;
  }

  add(make: () => Problem): void {
    this.isValid = false;
    if (!this.#isTold || this.problems.length >= problemsMax || this.#made >= madeMax) return;
    this.#made++;
    const problem = make();
    if (this.#seen.has(problem.key)) return;
    this.#seen.add(problem.key);
    this.problems.push(problem);
  }

  merge(other: Result): void {
    for (const problem of other.problems) this.add(() => problem);
    if (!other.isValid) this.isValid = false;
    this.matches += other.matches;
  }

  /** Drops what was added since there were `count` problems. */
  forget(count: number, wasValid: boolean): void {
    for (const { key } of this.problems.splice(count)) this.#seen.delete(key);
    this.isValid = wasValid;
  }

  inner(): Result {
    return new Result(this.#isTold);
  }

  /** Whether the result would still record another problem. */
  get mayHaveMore(): boolean {
    return this.isValid || (this.#isTold && this.problems.length < problemsMax && this.#made < madeMax);
  }

  get isTold(): boolean {
    return this.#isTold;
  }

  errors(): ValueError[] {
    return this.problems.map(({ error }) => error);
  }
}

/** More problems are not reported: nobody reads them, and each makes the answer longer. */
const problemsMax = 500;

/** Many items may have the same problem, which is reported once. Formatting one deep in a schema takes tens of microseconds. */
const madeMax = 1_000;
