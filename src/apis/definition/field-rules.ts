import { append } from "../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, apiLevels } from "../../apimachinery/levels/api-level.js";
import { fieldAtLevel } from "../../apimachinery/schema/at-level.js";
import type { FieldDeclaration, TypePackage, ValueRules } from "../../apimachinery/schema/declaration.js";
import { rangeMessage } from "../../apimachinery/validation/messages.js";
import { isNegativeMessage, validateImmutable } from "../../apimachinery/validation/values.js";

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
      for (const field of fields)
        append(
          errors,
          ruleOf(field).check(object[field], () => path.child(field)),
        );
      return errors;
    },
    checkValue: (field, value, path) => ruleOf(field).check(value, () => path),
    unchanged(object, old, path, ...fields) {
      return fields.flatMap((field) => {
        const { zero } = immutable(field);
        return validateImmutable(object[field] ?? zero, old[field] ?? zero, path.child(field));
      });
    },
    unchangedValue(field, value, old, path, print) {
      immutable(field);
      return validateImmutable(value, old, path, print);
    },
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
  /** The value that an absent one equals; undefined where the two are distinct. */
  readonly zero: unknown;
  readonly #rules: ValueRules;
  readonly #declaration: FieldDeclaration;

  constructor(declaration: FieldDeclaration) {
    const { rules = {}, enum: values = [], pointer = false, type } = declaration;
    this.#declaration = declaration;
    this.#rules = rules;
    this.supported = rules.supported === "enum" ? values : (rules.supported ?? [...values].sort());
    this.isImmutable = rules.immutable ?? false;
    this.zero = pointer ? undefined : type === "string" ? "" : type.startsWith("int") ? 0 : undefined;
  }

  /** Whether every value passes or fails both alike. */
  isSameAs(other: FieldRule): boolean {
    return isDeepEqual(this.#parts(), other.#parts());
  }

  #parts(): unknown {
    const { list, map, optional } = this.#declaration;
    return [this.supported, this.zero, this.#rules, list, map, this.supported.length > 0 && optional];
  }

  /** `path` is called only for an error. */
  check(given: unknown, path: () => FieldPath): FieldError[] {
    if (this.#declaration.list) return this.#checkList(Array.isArray(given) ? given : [], path);
    if (this.#declaration.map) return this.#checkMap(given, path);
    const value = given ?? this.zero;
    const { required: why, min, max } = this.#rules;
    if (value === undefined || value === this.zero) {
      if (why !== undefined) return [required(path(), why === true ? "" : why)];
      if (value === undefined || (value === "" && this.#declaration.optional)) return [];
    }
    if (typeof value === "number" || typeof value === "bigint") {
      if (min === undefined || (value >= min && (max === undefined || value <= max))) return [];
      return [invalid(path(), value, rangeWords(min, max))];
    }
    return this.#checkSupported(value, path);
  }

  #checkList(items: readonly unknown[], path: () => FieldPath): FieldError[] {
    const { required: why, maxItems } = this.#rules;
    if (items.length === 0) return why === undefined ? [] : [required(path(), why === true ? "" : why)];
    if (maxItems !== undefined && items.length > maxItems) return [tooMany(path(), items.length, maxItems)];
    return items.flatMap((item, index) => this.#checkSupported(item, () => path().index(index)));
  }

  #checkMap(map: unknown, path: () => FieldPath): FieldError[] {
    const { required: why } = this.#rules;
    const isEmpty = typeof map !== "object" || map === null || Object.keys(map).length === 0;
    return why !== undefined && isEmpty ? [required(path(), why === true ? "" : why)] : [];
  }

  #checkSupported(value: unknown, path: () => FieldPath): FieldError[] {
    const { supported } = this;
    if (supported.length === 0 || typeof value !== "string" || supported.includes(value)) return [];
    return [notSupported(path(), value, supported)];
  }
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

function rangeWords(min: number, max: number | undefined): string {
  if (max !== undefined) return rangeMessage(min, max);
  return min === 0 ? isNegativeMessage : `must be greater than ${min - 1}`;
}
