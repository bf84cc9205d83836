import {
  type FieldError,
  type FieldPath,
  forbidden,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { validateAnnotations, validateLabels } from "../../../apimachinery/validation/labels.js";
import type { EphemeralVolumeSource } from "../../gen/core-v1.js";
import { validatePersistentVolumeClaimSpec } from "../persistent-volume-claim/validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

/** Of the claim's metadata, a pod may only set labels and annotations. */
const forbiddenMetadata = [
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

export function validateEphemeralSource(
  source: EphemeralVolumeSource,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const claimPath = path.child("volumeClaimTemplate");
  const claim = source.volumeClaimTemplate;
  if (claim === undefined) return [required(claimPath, "")];
  const metaPath = claimPath.child("metadata");
  return [
    ...validateAnnotations(claim.metadata.annotations, metaPath.child("annotations")),
    ...validateLabels(claim.metadata.labels, metaPath.child("labels")),
    ...forbiddenMetadata
      .filter((name) => claim.metadata[name] !== undefined)
      // Kubernetes uses Go field names in these paths.
      .map((name) =>
        forbidden(metaPath.child(name === "uid" ? "uID" : name), "cannot be set for an ephemeral volume"),
      ),
    ...validatePersistentVolumeClaimSpec(claim.spec, options, claimPath.child("spec")),
  ];
}
