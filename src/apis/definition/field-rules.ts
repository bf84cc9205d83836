import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, apiLevels, minorOf } from "../../apimachinery/levels/api-level.js";
import { fieldAtLevel } from "../../apimachinery/schema/at-level.js";
import type {
  Detail,
  FieldDeclaration,
  TypePackage,
  ValueRules,
} from "../../apimachinery/schema/declaration.js";
import { byteLength, rangeMessage } from "../../apimachinery/validation/messages.js";
import { isNegativeMessage, validateImmutable } from "../../apimachinery/validation/values.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import { valueFormats } from "./value-formats.js";

/**
 * Checks the rules declared with a type's fields (`ValueRules`). `T` is the type's generated interface. Where a
 * field's rules depend on the API level, `at` chooses the level; checking such a field without one throws.
 */
export interface FieldRules<T> {
  /** The rules as they are at a level; the same object each time. */
  at(level: ApiLevel): FieldRules<T>;
  /** The errors of these fields of `object`, whose path is `path`. */
  check(object: T, path: FieldPath, ...fields: readonly FieldOf<T>[]): FieldError[];
  /** The errors of one value, for a field that errors report under another path. */
  checkValue(field: FieldOf<T>, value: unknown, path: FieldPath): FieldError[];
  /** The errors of those fields that an update changed. They must be declared as immutable. */
  unchanged(object: T, old: T, path: FieldPath, ...fields: readonly FieldOf<T>[]): FieldError[];
  /** The error of an update that changed the field, if errors report it under another path or print its value in Go's notation. */
  unchangedValue<F extends FieldOf<T>>(
    field: F,
    value: T[F],
    old: T[F],
    path: FieldPath,
    print?: (value: T[F]) => unknown,
  ): FieldError[];
  /** The supported values of a field, as errors list them. */
  supported(field: FieldOf<T>): readonly string[];
}

type FieldOf<T> = Extract<keyof T, string>;

/** The rules of a type of a version, such as `Container`. Reads the declaration on first use. */
export function fieldRules<T extends object>(types: TypePackage, name: string): FieldRules<T> {
  const type = { types, name };
  const ofLevels = new Map<ApiLevel, FieldRules<T>>();
  const at = (level: ApiLevel): FieldRules<T> => {
    const ofLevel = ofLevels.get(level) ?? rulesAt<T>(type, level, at);
    ofLevels.set(level, ofLevel);
    return ofLevel;
  };
  return rulesAt(type, undefined, at);
}

interface NamedType {
  readonly types: TypePackage;
  readonly name: string;
}

function rulesAt<T extends object>(
  type: NamedType,
  level: ApiLevel | undefined,
  at: (level: ApiLevel) => FieldRules<T>,
): FieldRules<T> {
  const known = new Map<string, FieldRule>();
  const ruleOf = (field: string): FieldRule => {
    const rule = known.get(field) ?? declaredRule(type, field, level);
    known.set(field, rule);
    return rule;
  };
  const immutable = (field: string): FieldRule => {
    const rule = ruleOf(field);
    if (!rule.isImmutable) throw new Error(`${nameOf(type)}.${field} is not declared as immutable`);
    return rule;
  };
  return {
    at,
    check(object, path, ...fields) {
      const errors: FieldError[] = [];
      for (const field of fields) ruleOf(field).check(errors, object[field], path, field);
      return errors;
    },
    checkValue(field, value, path) {
      const errors: FieldError[] = [];
      ruleOf(field).check(errors, value, path);
      return errors;
    },
    unchanged: (object, old, path, ...fields) =>
      fields.flatMap((field) => {
        const rule = immutable(field);
        return rule.checkUnchanged(object[field] ?? rule.zero, old[field] ?? rule.zero, path.child(field));
      }),
    unchangedValue: (field, value, old, path, print) =>
      immutable(field).checkUnchanged(value, old, path, print),
    supported: (field) => ruleOf(field).supported,
  };
}

/** Throws for a field whose rules depend on the level when there is none. */
function declaredRule(type: NamedType, field: string, level: ApiLevel | undefined): FieldRule {
  const declaration = fieldNamed(type, field);
  if (declaration === undefined) throw new Error(`${nameOf(type)} has no field ${field}`);
  if (level !== undefined) return new FieldRule(fieldAtLevel(declaration, level));
  const rule = new FieldRule(declaration);
  const levels = declaration.before === undefined ? [] : apiLevels;
  if (levels.some((each) => !rule.isSameAs(new FieldRule(fieldAtLevel(declaration, each))))) {
    throw new Error(`the rules of ${nameOf(type)}.${field} depend on the level`);
  }
  return rule;
}

class FieldRule {
  readonly supported: readonly string[];
  readonly isImmutable: boolean;
  /** The value that means the same as an absent one; undefined if they differ. */
  readonly zero: unknown;
  /** The value that counts as unset; with `#zeroIsAbsent`, only `required` applies to it. */
  readonly #unset: unknown;
  readonly #zeroIsAbsent: boolean;
  readonly #rules: ValueRules;
  readonly #declaration: FieldDeclaration;
  readonly #format: ((text: string) => readonly string[]) | undefined;

  constructor(declaration: FieldDeclaration) {
    const { rules = {}, enum: values = [], optional = false, pointer = false, type } = declaration;
    const zero = type === "string" ? "" : type.startsWith("int") ? 0 : undefined;
    this.#declaration = declaration;
    this.#rules = rules;
    this.#format = rules.format === undefined ? undefined : valueFormats[rules.format];
    this.supported = rules.supported === "enum" ? values : (rules.supported ?? [...values].sort());
    this.isImmutable = rules.immutable !== undefined;
    this.zero = pointer ? undefined : zero;
    this.#zeroIsAbsent = rules.zeroIsAbsent ?? (optional && !pointer);
    this.#unset = pointer && !this.#zeroIsAbsent ? undefined : zero;
  }

  /** Whether both rules accept the same values. */
  isSameAs(other: FieldRule): boolean {
    return isDeepEqual(this.#parts(), other.#parts());
  }

  #parts(): unknown {
    const { list, map } = this.#declaration;
    const { format, min = 0, required: why } = this.#rules;
    const mayFail = this.supported.length > 0 || format !== undefined || min > 0;
    const passesZero = this.#unset !== undefined && why === undefined && mayFail && this.#zeroIsAbsent;
    return [this.supported, this.zero, this.#rules, list, map, passesZero];
  }

  /** Adds the errors of `given`, or of its field `name`. Builds paths only for errors. */
  check(errors: FieldError[], given: unknown, parent: FieldPath, name?: string): void {
    const { list, map } = this.#declaration;
    const value = given ?? this.zero;
    if (
      list ? !isFilledList(value) : map ? !isFilledMap(value) : value === undefined || value === this.#unset
    ) {
      const { required: why } = this.#rules;
      if (why !== undefined) errors.push(required(placeOf(parent, name), wordsOf(why)));
      if (why !== undefined || list || map || this.#zeroIsAbsent || value === undefined) return;
    }
    if (Array.isArray(value)) this.#checkItems(errors, value, parent, name);
    else this.#checkValue(errors, value, parent, name);
  }

  /** The error of an update that changed the value. */
  checkUnchanged<V>(value: V, old: V, path: FieldPath, print?: (value: V) => unknown): FieldError[] {
    const { immutable } = this.#rules;
    if (typeof immutable !== "string") return validateImmutable(value, old, path, print);
    return isDeepEqual(value, old) ? [] : [forbidden(path, immutable)];
  }

  #checkItems(errors: FieldError[], items: readonly unknown[], parent: FieldPath, name?: string): void {
    const { loneWildcard, maxItems, unique } = this.#rules;
    if (maxItems !== undefined && items.length > maxItems) {
      errors.push(tooMany(placeOf(parent, name), items.length, maxItems));
      return;
    }
    if (loneWildcard !== undefined && items.length > 1 && items.includes("*")) {
      const why = `if '*' is present, must not specify other ${loneWildcard}`;
      errors.push(invalid(placeOf(parent, name), items, why));
    }
    const seen = unique === undefined ? undefined : new Set<unknown>();
    for (const [index, item] of items.entries()) {
      this.#checkValue(errors, item, parent, name, index);
      if (seen?.has(item)) errors.push(duplicate(placeOf(parent, name, index), item));
      seen?.add(item);
    }
  }

  #checkValue(errors: FieldError[], value: unknown, parent: FieldPath, name?: string, index?: number): void {
    const { min, max, maxBytes, nonEmpty } = this.#rules;
    if (nonEmpty !== undefined && value === "") {
      errors.push(required(placeOf(parent, name, index), wordsOf(nonEmpty)));
      return;
    }
    if (typeof value === "number" || typeof value === "bigint") {
      if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
        const why = rangeWords(this.#rules, min !== undefined && value < min);
        errors.push(invalid(placeOf(parent, name, index), value, why));
      }
    }
    if (typeof value !== "string") return;
    if (this.supported.length > 0 && !this.supported.includes(value)) {
      errors.push(notSupported(placeOf(parent, name, index), value, this.supported));
    }
    if (min !== undefined && this.#declaration.type === "Quantity" && Quantity.parse(value).sign() < 0) {
      errors.push(invalid(placeOf(parent, name, index), value, isNegativeMessage));
    }
    if (maxBytes !== undefined && byteLength(value) > maxBytes) {
      errors.push(tooLong(placeOf(parent, name, index), maxBytes));
    }
    if (this.#format === undefined) return;
    for (const problem of this.#format(value)) {
      errors.push(invalid(placeOf(parent, name, index), value, problem));
    }
  }
}

function wordsOf(detail: Detail): string {
  if (typeof detail === "object") return hasErrorTextsOf(minorOf(detail.until)) ? "" : detail.detail;
  return detail === true ? "" : detail;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isFilledMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function placeOf(parent: FieldPath, name?: string, index?: number): FieldPath {
  const path = name === undefined ? parent : parent.child(name);
  return index === undefined ? path : path.index(index);
}

/** Includes the fields of inlined messages, which are of the same package. */
function fieldNamed({ types, name }: NamedType, field: string): FieldDeclaration | undefined {
  const message = types.declare()[name];
  if (message === undefined) throw new Error(`no type is named ${types.name}.${name}`);
  if (Object.hasOwn(message.fields, field)) return message.fields[field];
  for (const { inline, type } of Object.values(message.fields)) {
    const inlined = type.slice(types.name.length + 1);
    const found = inline ? fieldNamed({ types, name: inlined }, field) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function nameOf({ types, name }: NamedType): string {
  return `${types.name}.${name}`;
}

function rangeWords({ min = 0, max, range }: ValueRules, isBelow: boolean): string {
  if (typeof range === "object") return isBelow ? range.below : range.above;
  if (range !== undefined) return range;
  if (max !== undefined) return rangeMessage(min, max);
  return min === 0 ? isNegativeMessage : `must be greater than ${min - 1}`;
}
