import { type FieldError, type FieldPath, forbidden } from "../../apimachinery/errors/field-error.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";
import { validateAnnotations, validateLabels } from "../../apimachinery/validation/labels.js";

const forbiddenFields = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "clusterName",
  "managedFields",
] as const satisfies readonly (keyof ObjectMeta)[];

type GoNames = { readonly [name in (typeof forbiddenFields)[number]]?: string };

const goNames: GoNames = { uid: "uID" };

/**
 * The template of a claim may set labels and annotations, and no other metadata. `why`: "cannot be set". `otherGoNames`: of fields whose
 * name in Go is not their own.
 */
export function validateTemplateMetadata(
  metadata: ObjectMeta,
  path: FieldPath,
  why: string,
  otherGoNames: GoNames = {},
): FieldError[] {
  const names = { ...goNames, ...otherGoNames };
  return [
    ...validateAnnotations(metadata.annotations, path.child("annotations")),
    ...validateLabels(metadata.labels, path.child("labels")),
    ...forbiddenFields
      .filter((name) => metadata[name] !== undefined)
      // Kubernetes uses Go field names in these paths.
      .map((name) => forbidden(path.child(names[name] ?? name), why)),
  ];
}
