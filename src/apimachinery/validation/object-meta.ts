import { append } from "../collections/append.js";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "../errors/field-error.js";
import { printTime } from "../errors/printed-structs.js";
import type { PrintedValue } from "../errors/printed-value.js";
import type { ObjectMeta } from "../objects/meta.js";
import { errorsOfEach } from "./errors-of-each.js";
import { validateFinalizers, validateNoNewFinalizers, validateStandardFinalizerName } from "./finalizers.js";
import { validateAnnotations, validateLabels } from "./labels.js";
import { validateManagedFields } from "./managed-fields.js";
import { type NameValidator, nameIsDns1035Label, validateNamespaceName } from "./object-name.js";
import { validateOwnerReferences } from "./owner-references.js";
import { validateImmutable, validateNonnegative } from "./values.js";

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly validateName: NameValidator;
  /**
   * Finalizers without a domain that this kind allows, besides those of the garbage collector. Undefined allows any, as for custom
   * resources.
   */
  readonly standardFinalizers?: readonly string[] | undefined;
}

/** On creation; a `generateName` has already become a name. */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { generateName = "", name = "", namespace = "", clusterName = "" } = meta;
  if (generateName !== "") {
    for (const problem of rules.validateName(generateName, true)) {
      errors.push(invalid(path.child("generateName"), generateName, problem));
    }
  }
  if (name === "") {
    errors.push(required(path.child("name"), "name or generateName is required"));
  } else {
    for (const problem of rules.validateName(name, false)) {
      errors.push(invalid(path.child("name"), name, problem));
    }
  }
  if (!rules.namespaced) {
    if (namespace !== "") errors.push(forbidden(path.child("namespace"), "not allowed on this type"));
  } else if (namespace === "") {
    errors.push(required(path.child("namespace"), ""));
  } else {
    for (const problem of validateNamespaceName(namespace, false)) {
      errors.push(invalid(path.child("namespace"), namespace, problem));
    }
  }
  if (clusterName !== "") {
    for (const problem of nameIsDns1035Label(clusterName, false)) {
      errors.push(invalid(path.child("clusterName"), clusterName, problem));
    }
  }
  const managedFields = meta.managedFields ?? [];
  const finalizers = meta.finalizers ?? [];
  append(errors, [
    ...validateNonnegative(meta.generation ?? 0, path.child("generation")),
    ...validateLabels(meta.labels, path.child("labels")),
    ...validateAnnotations(meta.annotations, path.child("annotations")),
    ...validateOwnerReferences(meta.ownerReferences ?? [], path.child("ownerReferences")),
    ...validateFinalizers(finalizers, path.child("finalizers")),
    ...validateManagedFields(managedFields, path.child("managedFields")),
    ...standardFinalizerErrors(finalizers, rules.standardFinalizers, path),
  ]);
  return errors;
}

/** `standardFinalizers` as in `ObjectMetaRules`. */
export function validateObjectMetaUpdate(
  newMeta: ObjectMeta,
  oldMeta: ObjectMeta,
  path: FieldPath,
  standardFinalizers?: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  const finalizers = newMeta.finalizers ?? [];
  if (oldMeta.deletionTimestamp !== undefined) {
    append(errors, validateNoNewFinalizers(finalizers, oldMeta.finalizers ?? [], path.child("finalizers")));
  }
  const resourceVersion = newMeta.resourceVersion ?? "";
  if (resourceVersion === "") {
    errors.push(invalid(path.child("resourceVersion"), resourceVersion, "must be specified for an update"));
  }
  const generation = newMeta.generation ?? 0;
  if (generation < (oldMeta.generation ?? 0)) {
    errors.push(invalid(path.child("generation"), generation, "must not be decremented"));
  }
  for (const field of ["name", "namespace", "uid"] as const) {
    append(errors, validateImmutable(newMeta[field] ?? "", oldMeta[field] ?? "", path.child(field)));
  }
  for (const field of ["creationTimestamp", "deletionTimestamp"] as const) {
    append(errors, validateImmutable(newMeta[field], oldMeta[field], path.child(field), printTimeIfAny));
  }
  const { deletionGracePeriodSeconds } = newMeta;
  append(errors, [
    ...validateImmutable(
      deletionGracePeriodSeconds,
      oldMeta.deletionGracePeriodSeconds,
      path.child("deletionGracePeriodSeconds"),
    ),
    ...validateImmutable(newMeta.clusterName ?? "", oldMeta.clusterName ?? "", path.child("clusterName")),
    ...validateLabels(newMeta.labels, path.child("labels")),
    ...validateAnnotations(newMeta.annotations, path.child("annotations")),
    ...validateOwnerReferences(newMeta.ownerReferences ?? [], path.child("ownerReferences")),
    ...validateManagedFields(newMeta.managedFields ?? [], path.child("managedFields")),
    ...standardFinalizerErrors(finalizers, standardFinalizers, path),
  ]);
  return errors;
}

function printTimeIfAny(time: string | undefined): PrintedValue | undefined {
  return time === undefined ? undefined : printTime(time);
}

/** `standard` as in `ObjectMetaRules`. */
export function standardFinalizerErrors(
  finalizers: readonly string[],
  standard: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  if (standard === undefined) return [];
  return errorsOfEach(finalizers, (name, index) =>
    validateStandardFinalizerName(name, standard, path.child("finalizers").index(index)),
  );
}
