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

/** The template of a claim may set labels and annotations, and no other metadata. `why`: "cannot be set". */
export function validateTemplateMetadata(metadata: ObjectMeta, path: FieldPath, why: string): FieldError[] {
  return [
    ...validateAnnotations(metadata.annotations, path.child("annotations")),
    ...validateLabels(metadata.labels, path.child("labels")),
    ...forbiddenFields
      .filter((name) => metadata[name] !== undefined)
      // Kubernetes uses Go field names in these paths.
      .map((name) => forbidden(path.child(name === "uid" ? "uID" : name), why)),
  ];
}
