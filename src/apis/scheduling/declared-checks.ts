import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../apimachinery/errors/printed-value.js";

/** Checks that Kubernetes declares with the fields of v1alpha2: values that an update does not change are not checked. */

/** Exactly one of the members, each undefined unless it is set. */
export function validateUnion(members: { readonly [name: string]: unknown }, path: FieldPath): FieldError[] {
  const names = Object.keys(members);
  const given = names.filter((name) => members[name] !== undefined);
  const all = names.map((name) => `\`${name}\``).join(", ");
  if (given.length === 0) return [invalid(path, "", `must specify one of: ${all}`)];
  if (given.length === 1) return [];
  return [invalid(path, `{${given.join(", ")}}`, `must specify exactly one of: ${all}`)];
}

export function validateUnchanged(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return isDeepEqual(value, old) ? [] : [invalid(path, new PrintedValue("null"), "field is immutable")];
}
