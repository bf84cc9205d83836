import type { FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { fieldRules } from "../../definition/field-rules.js";
import { validateTemplateMetadata } from "../../definition/template-metadata.js";
import type { EphemeralVolumeSource } from "../../gen/core-v1.js";
import { validatePersistentVolumeClaimSpec } from "../persistent-volume-claim/validation.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const rules = fieldRules<EphemeralVolumeSource>(coreV1Types, "EphemeralVolumeSource");

export function validateEphemeralSource(
  source: EphemeralVolumeSource,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const claimPath = path.child("volumeClaimTemplate");
  const claim = source.volumeClaimTemplate;
  if (claim === undefined) return rules.check(source, path, "volumeClaimTemplate");
  const metaPath = claimPath.child("metadata");
  const why = isAtLeast(options.level, "1.26") ? "cannot be set" : "cannot be set for an ephemeral volume";
  return [
    ...validateTemplateMetadata(
      claim.metadata,
      metaPath,
      why,
      isAtLeast(options.level, "1.24") ? { clusterName: "zZZ_DeprecatedClusterName" } : {},
    ),
    ...validatePersistentVolumeClaimSpec(claim.spec, options, claimPath.child("spec")),
  ];
}
