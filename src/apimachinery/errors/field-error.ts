import { printJson } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";
import { quoted, quotedStart } from "./quoted-text.js";

/**
 * Problems found in an object, collected and answered together as 422, in
 * Kubernetes' words: `spec.containers[0].name: Required value: why`.
 */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.containers[0].name`, `metadata.labels[a/b]`. */
  readonly field: string;
  /** Without the field: `Invalid value: "x": must be …`. */
  readonly body: string;
}

/**
 * A path into an object, extended as validation descends. Immutable and cheap to share: its text is made when there is something
 * to say about the field, which for most objects is never.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  /** Names, or an index or key when `#isKey`. */
  readonly #segment: string | number;
  readonly #isKey: boolean;
  private constructor(parent: FieldPath | undefined, segment: string | number, isKey: boolean) {
    this.#parent = parent;
    this.#segment = segment;
    this.#isKey = isKey;
  }
  /** The path of the object itself; the paths of its fields are their names. */
  static readonly root = new FieldPath(undefined, "", false);
  static of(...names: readonly string[]): FieldPath {
    return new FieldPath(undefined, names.join("."), false);
  }
  child(name: string, ...more: readonly string[]): FieldPath {
    return new FieldPath(this, more.length === 0 ? name : `${name}.${more.join(".")}`, false);
  }
  index(index: number): FieldPath {
    return new FieldPath(this, index, true);
  }
  key(key: string): FieldPath {
    return new FieldPath(this, key, true);
  }
  toString(): string {
    const before = this.#parent?.toString() ?? "";
    if (this.#isKey) return `${before}[${this.#segment}]`;
    return before === "" ? `${this.#segment}` : `${before}.${this.#segment}`;
  }

  /** The same, cut by `shortened`. A long path is never built whole, because many errors may be below the same long name. */
  toShortened(): string {
    const paths: FieldPath[] = [];
    for (let path: FieldPath | undefined = this; path !== undefined; path = path.#parent) paths.push(path);
    let text = "";
    for (const path of paths.reverse()) {
      const segment = String(path.#segment).slice(0, shownCharactersMax + 1);
      if (path.#isKey) text += `[${segment}]`;
      else text += text === "" ? segment : `.${segment}`;
      if (text.length > shownCharactersMax) break;
    }
    return shortened(text);
  }
}

export function required(field: FieldPath, detail: string): FieldError {
  return make("FieldValueRequired", field, () => "Required value", detail);
}

export function invalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return make(
    "FieldValueInvalid",
    field,
    (notation) => `Invalid value: ${printValue(value, notation)}`,
    detail,
  );
}

/** For a value that says nothing, or is too large to print. */
export function invalidUnprinted(field: FieldPath, detail: string): FieldError {
  return make("FieldValueInvalid", field, () => "Invalid value", detail);
}

export function duplicate(field: FieldPath, value: unknown): FieldError {
  return make(
    "FieldValueDuplicate",
    field,
    (notation) => `Duplicate value: ${printValue(value, notation)}`,
    "",
  );
}

/** The same for one that is too large to print. */
export function duplicateUnprinted(field: FieldPath): FieldError {
  return make("FieldValueDuplicate", field, () => "Duplicate value", "");
}

export function notSupported(field: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(quoted).join(", ")}`;
  return make(
    "FieldValueNotSupported",
    field,
    (notation) => `Unsupported value: ${printValue(value, notation)}`,
    detail,
  );
}

export function forbidden(field: FieldPath, detail: string): FieldError {
  return make("FieldValueForbidden", field, () => "Forbidden", detail);
}

/** Does not print the value, which is too long to be useful. */
export function tooLong(field: FieldPath, max: number): FieldError {
  const detail = hasWordsOf(32)
    ? `may not be more than ${counted(max, "byte")}`
    : `must have at most ${max} bytes`;
  return make("FieldValueTooLong", field, () => "Too long", detail);
}

export function tooMany(field: FieldPath, actual: number, max: number): FieldError {
  return make(
    "FieldValueTooMany",
    field,
    () => `Too many: ${actual}`,
    `must have at most ${counted(max, "item")}`,
  );
}

/** `1 item`, `2 items`; before 1.34 also `1 items`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 && hasWordsOf(34) ? "" : "s"}`;
}

export function notFoundField(field: FieldPath, value: unknown, detail = ""): FieldError {
  return make("FieldValueNotFound", field, (notation) => `Not found: ${printValue(value, notation)}`, detail);
}

export function internalError(field: FieldPath, detail: string): FieldError {
  return make("InternalError", field, () => "Internal error", detail);
}

/** More than anyone reads, and more than an answer lists: an object with more errors is refused anyway. */
const errorsFoundMax = 2000;

export interface FoundErrors {
  readonly errors: readonly FieldError[];
  /** Whether the validation stopped at the limit. */
  readonly isCut: boolean;
}

/** Thrown only within `findErrors`. */
class EnoughErrors extends Error {}

/** The errors found by the running validation. Validations are synchronous, so one runs at a time. */
let running: FieldError[] | undefined;
/** Kubernetes' minor version whose error messages are used, because some have changed over time. */
let wordsOf = 0;

/**
 * The errors that `validate` finds, in the words of a minor version of Kubernetes; by default those of the validation around it. Stops at the
 * limit, so that one object cannot hold up other requests.
 */
export function findErrors(validate: () => readonly FieldError[], minor = wordsOf): FoundErrors {
  const outer = running;
  const outerWords = wordsOf;
  const found: FieldError[] = [];
  running = found;
  wordsOf = minor;
  try {
    return { errors: validate(), isCut: false };
  } catch (error) {
    if (error instanceof EnoughErrors) return { errors: found, isCut: true };
    throw error;
  } finally {
    running = outer;
    wordsOf = outerWords;
  }
}

/** Runs what finds errors, in the words of a minor version of Kubernetes. */
export function inWordsOf<T>(minor: number, work: () => T): T {
  const outer = wordsOf;
  wordsOf = minor;
  try {
    return work();
  } finally {
    wordsOf = outer;
  }
}

/** Whether errors of the running validation use the words that Kubernetes has since 1.`minor`. */
export function hasWordsOf(minor: number): boolean {
  return wordsOf >= minor;
}

/** Whether `validate` finds any error. These errors are not counted. */
export function hasErrors(validate: () => readonly FieldError[]): boolean {
  return findErrors(validate).errors.length > 0;
}

/**
 * Texts are formatted on access: of a hundred thousand errors few are shown, and a path or value may be as long as the object.
 */
function make(
  type: FieldErrorType,
  path: FieldPath,
  head: (notation: Notation) => string,
  detail: string,
): FieldError {
  // Kubernetes' own since 1.34.
  const notation = hasWordsOf(34) ? "json" : "go";
  let field: string | undefined;
  let body: string | undefined;
  const error: FieldError = {
    type,
    get field() {
      field ??= path.toShortened();
      return field;
    },
    get body() {
      body ??= detail === "" ? head(notation) : `${head(notation)}: ${detail}`;
      return body;
    },
  };
  if (running !== undefined && running.push(error) > errorsFoundMax) throw new EnoughErrors();
  return error;
}

/** How errors show structures. */
export type Notation = "go" | "json";

/** A bad value with a given text, because Kubernetes prints structures in Go's notation. */
export class PrintedValue {
  readonly #print: () => string;
  readonly #json: (() => string | undefined) | undefined;
  /** Either may be a function, for what is long and rarely shown. Without `json`, JSON is the same text. */
  constructor(text: string | (() => string), json?: JsonValue | (() => string | undefined)) {
    this.#print = typeof text === "string" ? () => text : text;
    if (json !== undefined) this.#json = typeof json === "function" ? json : () => printJson(json);
  }
  get text(): string {
    return this.#print();
  }
  /** Undefined when nobody has said it. */
  get json(): string | undefined {
    return this.#json?.();
  }
}

/** An answer repeats a bad value several times, and encrypting megabytes takes long too. */
export const shownCharactersMax = 64 * 1024;

/** The text, with an ellipsis in place of what is beyond 64 Ki characters. */
export function shortened(text: string): string {
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}

/** The text in quotes, as long at most as a shortened one: an escape has up to ten characters. */
export function quotedShortened(text: string): string {
  return quotedStart(text, shownCharactersMax);
}

/** Several errors in one text, as Kubernetes prints them; `rest` comes last. */
export function aggregate(errors: readonly FieldError[], ...rest: readonly string[]): string {
  const texts = [...new Set(errors.map(({ field, body }) => `${field}: ${body}`)), ...rest];
  return texts.length === 1 ? texts.join() : `[${texts.join(", ")}]`;
}

/** Nobody reads more. */
const errorsShownMax = 1000;

export interface ShownErrors {
  readonly errors: readonly FieldError[];
  /** As Kubernetes prints them, and how many are left out. */
  readonly text: string;
}

/** The first errors, at least one: at most 1,000, and of so many characters. */
export function shownErrors({ errors, isCut }: FoundErrors, charactersMax: number): ShownErrors {
  let characters = 0;
  let count = 0;
  printedLists = new Map();
  try {
    for (const { field, body } of errors) {
      characters += field.length + body.length;
      if (count > 0 && (count >= errorsShownMax || characters > charactersMax)) break;
      count++;
    }
  } finally {
    printedLists = undefined;
  }
  const shown = errors.slice(0, count);
  const others = errors.length - count;
  if (others === 0) return { errors: shown, text: aggregate(shown) };
  return { errors: shown, text: aggregate(shown, `and ${isCut ? "more than " : ""}${others} more errors`) };
}

/** Set while errors are shown, many of which may name the same long list. */
let printedLists: Map<readonly string[], string> | undefined;

function printStrings(items: readonly string[]): string {
  const known = printedLists?.get(items);
  if (known !== undefined) return known;
  const text = listText(items);
  printedLists?.set(items, text);
  return text;
}

/** Prints no more of a long list than is shown. */
function listText(items: readonly string[]): string {
  let text = "[]string{";
  for (const [index, item] of items.entries()) {
    if (text.length > shownCharactersMax) return shortened(text);
    text += `${index === 0 ? "" : ", "}${quotedShortened(item)}`;
  }
  return shortened(`${text}}`);
}

/**
 * Bad values as Kubernetes prints them: strings quoted, scalars bare, structures in a notation. In Go's, lists of strings have their type, absent
 * values are quoted, and what has no text of its own is JSON. Long ones are shortened.
 */
export function printValue(value: unknown, notation: Notation = "go"): string {
  if (typeof value === "string") return quotedShortened(value);
  if (value instanceof PrintedValue) {
    return shortened((notation === "json" ? value.json : undefined) ?? value.text);
  }
  if (value === undefined || value === null) return notation === "json" ? "null" : '"null"';
  if (typeof value === "bigint") return value.toString();
  if (
    notation === "go" &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "string")
  ) {
    return printStrings(value);
  }
  return shortened(JSON.stringify(value, (_key, v: unknown) => (typeof v === "bigint" ? Number(v) : v)));
}
