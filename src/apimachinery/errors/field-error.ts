import { errorTextsMinor, hasErrorTextsOf, withErrorTextsOf } from "./error-texts.js";
import { type Notation, printValue, shortened, shownCharactersMax } from "./printed-value.js";
import { quoted } from "./quoted-text.js";

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
 * A path into an object, extended as validation descends. Immutable and cheap to share: its text is made only for an error, and most
 * objects have none.
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
  /** How Kubernetes names the field of an error that is about no single field; prints as `[]`. */
  static readonly nameless = new FieldPath(undefined, "", true);

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

/** Stands for the value in errors that show none. */
const noValue = Symbol("no value");

export function required(field: FieldPath, detail: string): FieldError {
  return make("FieldValueRequired", field, "Required value", noValue, detail);
}

export function invalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return make("FieldValueInvalid", field, "Invalid value", value, detail);
}

/** Like `invalid`, but with its own reason in the causes. */
export function typeInvalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return make("FieldValueTypeInvalid", field, "Invalid value", value, detail);
}

/** For a value that would tell nothing, or is too large to print. */
export function invalidUnprinted(field: FieldPath, detail: string): FieldError {
  return make("FieldValueInvalid", field, "Invalid value", noValue, detail);
}

export function duplicate(field: FieldPath, value: unknown, detail = ""): FieldError {
  return make("FieldValueDuplicate", field, "Duplicate value", value, detail);
}

/** Like `duplicate`, for a value that is too large to print. */
export function duplicateUnprinted(field: FieldPath): FieldError {
  return make("FieldValueDuplicate", field, "Duplicate value", noValue, "");
}

export function notSupported(field: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(quoted).join(", ")}`;
  return make("FieldValueNotSupported", field, "Unsupported value", value, detail);
}

export function forbidden(field: FieldPath, detail: string): FieldError {
  return make("FieldValueForbidden", field, "Forbidden", noValue, detail);
}

/** Does not print the value, which is too long to be useful. */
export function tooLong(field: FieldPath, max: number): FieldError {
  const detail = hasErrorTextsOf(32)
    ? `may not be more than ${counted(max, "byte")}`
    : `must have at most ${max} bytes`;
  return make("FieldValueTooLong", field, "Too long", noValue, detail);
}

/** Like `tooLong`, but levels below 1.32 use a wording shared by strings and lists. */
export function longerThan(field: FieldPath, max: number): FieldError {
  if (hasErrorTextsOf(32)) return tooLong(field, max);
  return make("FieldValueTooLong", field, "Too long", noValue, `may not be longer than ${max}`);
}

export function tooMany(field: FieldPath, actual: number, max: number): FieldError {
  return make(
    "FieldValueTooMany",
    field,
    `Too many: ${actual}`,
    noValue,
    `must have at most ${counted(max, "item")}`,
  );
}

/** `1 item`, `2 items`; before 1.34 also `1 items`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 && hasErrorTextsOf(34) ? "" : "s"}`;
}

export function notFoundField(field: FieldPath, value: unknown, detail = ""): FieldError {
  return make("FieldValueNotFound", field, "Not found", value, detail);
}

export function internalError(field: FieldPath, detail: string): FieldError {
  return make("InternalError", field, "Internal error", noValue, detail);
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

/**
 * The errors that `validate` finds, in the words of a minor version of Kubernetes; by default those of the validation around it. Stops at the
 * limit, so that one object cannot hold up other requests.
 */
export function findErrors(validate: () => readonly FieldError[], minor?: number): FoundErrors {
  const outer = running;
  const found: FieldError[] = [];
  running = found;
  try {
    return { errors: minor === undefined ? validate() : withErrorTextsOf(minor, validate), isCut: false };
  } catch (error) {
    if (error instanceof EnoughErrors) return { errors: found, isCut: true };
    throw error;
  } finally {
    running = outer;
  }
}

/** Whether `validate` finds any error. These errors are not counted. */
export function hasErrors(validate: () => readonly FieldError[]): boolean {
  return findErrors(validate).errors.length > 0;
}

function make(
  type: FieldErrorType,
  path: FieldPath,
  what: string,
  value: unknown,
  detail: string,
): FieldError {
  const error = new UnprintedError(type, path, what, value, detail);
  if (running !== undefined && running.push(error) > errorsFoundMax) throw new EnoughErrors();
  return error;
}

/** Texts are made on access: of a hundred thousand errors few are shown, and a path or value may be as long as the object. */
class UnprintedError implements FieldError {
  readonly type: FieldErrorType;
  readonly #path: FieldPath;
  readonly #what: string;
  readonly #value: unknown;
  readonly #detail: string;
  readonly #words = errorTextsMinor();
  #field: string | undefined;
  #body: string | undefined;

  constructor(type: FieldErrorType, path: FieldPath, what: string, value: unknown, detail: string) {
    this.type = type;
    this.#path = path;
    this.#what = what;
    this.#value = value;
    this.#detail = detail;
  }

  get field(): string {
    this.#field ??= this.#path.toShortened();
    return this.#field;
  }

  get body(): string {
    this.#body ??= withErrorTextsOf(this.#words, () => this.#print());
    return this.#body;
  }

  #print(): string {
    const notation: Notation = hasErrorTextsOf(34) ? "json" : "go";
    const value = this.#value === noValue ? "" : `: ${printValue(this.#value, notation)}`;
    return this.#detail === "" ? `${this.#what}${value}` : `${this.#what}${value}: ${this.#detail}`;
  }
}
