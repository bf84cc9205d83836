import { append } from "../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  tooMany,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast, newestLevel } from "../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";

type ValidateItem<T> = (item: T, path: FieldPath) => readonly FieldError[];

/** The items of a list that is too long are not validated since 1.35. `level`: the newest by default. */
export function validateList<T>(
  items: readonly T[] | undefined,
  path: FieldPath,
  max: number,
  validate: ValidateItem<T>,
  level: ApiLevel = newestLevel,
): FieldError[] {
  if (items === undefined) return [];
  const isLong = items.length > max;
  const errors = skipsItems(items, max, level)
    ? []
    : errorsOfEach(items, (item, index) => validate(item, path.index(index)));
  if (isLong) errors.push(tooMany(path, items.length, max));
  return errors;
}

/** The items of a list that is far too long are validated at no level: each may be costly. */
function skipsItems(items: readonly unknown[], max: number, level: ApiLevel): boolean {
  return items.length > (isAtLeast(level, "1.35") ? max : 4 * max);
}

interface Key<T> {
  /** The item's identity: items with equal keys are duplicates. */
  of(item: T): string;
  /** The field that errors name up to Kubernetes 1.34. Default: none. */
  readonly field?: string;
  /** How errors show the key. Default: as a string. */
  print?(item: T): unknown;
}

/** Like `validateList`, for a list without duplicates. */
export function validateSet<T>(
  items: readonly T[] | undefined,
  path: FieldPath,
  max: number,
  {
    level,
    key,
    validate,
  }: { readonly level: ApiLevel; readonly key: Key<T>; readonly validate: ValidateItem<T> },
): FieldError[] {
  const errors = validateList(items, path, max, validate, level);
  if (items === undefined || skipsItems(items, max, level)) return errors;
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = key.of(item);
    if (seen.has(value)) {
      const at = path.index(index);
      const named = key.field === undefined || isAtLeast(level, "1.35") ? at : at.child(key.field);
      errors.push(duplicate(named, key.print?.(item) ?? value));
    }
    seen.add(value);
  }
  return errors;
}

/** The key of texts. */
export const itself: Key<string> = { of: (text) => text };

interface MapRules<T> {
  readonly level: ApiLevel;
  readonly max?: number;
  /** Longer keys are shortened in the middle where a path shows them. */
  readonly shownMax: number;
  readonly key: ValidateItem<string>;
  readonly value: ValidateItem<T>;
}

export function validateMap<T>(
  map: { readonly [key: string]: T } | undefined,
  path: FieldPath,
  { level, max, shownMax, key: validateKey, value: validateValue }: MapRules<T>,
): FieldError[] {
  const entries = Object.entries(map ?? {});
  if (max !== undefined && entries.length > max) return [tooMany(path, entries.length, max)];
  const errors: FieldError[] = [];
  for (const [key, value] of entries) {
    const at = path.key(shortenedKey(key, shownMax));
    append(errors, validateKey(key, isAtLeast(level, "1.32") && !isAtLeast(level, "1.36") ? at : path));
    append(errors, validateValue(value, at));
  }
  return errors;
}

const ellipsis = "...";

function shortenedKey(key: string, max: number): string {
  if (key.length <= max) return key;
  const left = max - ellipsis.length;
  return `${key.slice(0, Math.ceil(left / 2))}${ellipsis}${key.slice(key.length - Math.floor(left / 2))}`;
}
