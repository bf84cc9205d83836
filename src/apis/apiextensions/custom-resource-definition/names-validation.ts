import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { isDns1035Label } from "../../../apimachinery/validation/dns-names.js";
import type { CustomResourceDefinitionNames } from "../../gen/apiextensions-v1.js";

/** Validates the names that are present; required ones are checked elsewhere. */
export function namesErrors(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const { plural, singular = "", kind, listKind = "", shortNames = [], categories = [] } = names;
  const errors = [
    ...labelErrors(plural, path.child("plural")),
    ...labelErrors(singular, path.child("singular")),
    ...kindErrors(kind, path.child("kind")),
    ...kindErrors(listKind, path.child("listKind")),
    ...listErrors(shortNames, path.child("shortNames")),
  ];
  if (kind !== "" && kind === listKind) {
    errors.push(invalid(path.child("listKind"), listKind, "kind and listKind may not be the same"));
  }
  return [...errors, ...listErrors(categories, path.child("categories"))];
}

function labelErrors(name: string, path: FieldPath): FieldError[] {
  const problems = name === "" ? [] : isDns1035Label(name);
  return problems.length === 0 ? [] : [invalid(path, name, problems.join(","))];
}

function kindErrors(kind: string, path: FieldPath): FieldError[] {
  const problems = kind === "" ? [] : isDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

function listErrors(names: readonly string[], path: FieldPath): FieldError[] {
  return names.flatMap((name, index) => {
    const problems = isDns1035Label(name);
    return problems.length === 0 ? [] : [invalid(path.index(index), name, problems.join(","))];
  });
}
