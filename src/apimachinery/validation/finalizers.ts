import { type FieldError, type FieldPath, forbidden, invalid } from "../errors/field-error.js";
import { printValue } from "../errors/printed-value.js";
import { quoted } from "../errors/quoted-text.js";
import { errorsOfEach } from "./errors-of-each.js";
import { isQualifiedName } from "./qualified-name.js";

const finalizerOrphanDependents = "orphan";
const finalizerDeleteDependents = "foregroundDeletion";

export function validateFinalizerName(name: string, path: FieldPath): FieldError[] {
  return isQualifiedName(name).map((problem) => invalid(path, name, problem));
}

/** The rule for built-in kinds: a name without a domain must be one of the server's own. */
export function validateStandardFinalizerName(
  name: string,
  standard: readonly string[],
  path: FieldPath,
): FieldError[] {
  const known =
    name.includes("/") ||
    name === finalizerOrphanDependents ||
    name === finalizerDeleteDependents ||
    standard.includes(name);
  return known
    ? []
    : [invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
}

export function validateFinalizers(finalizers: readonly string[], path: FieldPath): FieldError[] {
  const errors = errorsOfEach(finalizers, (name) => validateFinalizerName(name, path));
  if (finalizers.includes(finalizerOrphanDependents) && finalizers.includes(finalizerDeleteDependents)) {
    const why = `finalizer ${finalizerOrphanDependents} and ${finalizerDeleteDependents} cannot be both set`;
    errors.push(invalid(path, finalizers, why));
  }
  return errors;
}

/**
 * Warnings about finalizers without a domain, which another program may use too. Only for names that the write adds; `standard` are the
 * kind's own, besides those that every object may have.
 */
export function finalizerWarnings(
  finalizers: readonly string[],
  before: readonly string[],
  standard: readonly string[],
  path: FieldPath,
): string[] {
  const known = new Set([...before, ...standard, finalizerOrphanDependents, finalizerDeleteDependents]);
  return [...new Set(finalizers)]
    .filter((name) => !name.includes("/") && !known.has(name))
    .sort()
    .map((name) => {
      const what = name.includes(".") ? "finalizer name including a path (/)" : "finalizer name";
      return `${path}: ${quoted(name)}: prefer a domain-qualified ${what} to avoid accidental conflicts with other finalizer writers`;
    });
}

/** For an object that is being deleted. */
export function validateNoNewFinalizers(
  newFinalizers: readonly string[],
  oldFinalizers: readonly string[],
  path: FieldPath,
): FieldError[] {
  const known = new Set(oldFinalizers);
  const added = [...new Set(newFinalizers)].filter((name) => !known.has(name)).sort();
  if (added.length === 0) return [];
  return [
    forbidden(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${printValue(added)}`,
    ),
  ];
}
