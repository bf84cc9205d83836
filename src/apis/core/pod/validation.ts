import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import type { Pod } from "../../gen/core-v1.js";
import { validatePodAnnotations, validateSeccompAgreement } from "../pod-spec/annotation-validation.js";
import { validateAppArmorAgreement } from "../pod-spec/app-armor-validation.js";
import { validateImageSpace } from "../pod-spec/container-checks.js";
import type { PodValidationOptions } from "../pod-spec/pod-validation-rules.js";
import { validatePodSpec } from "../pod-spec/validation.js";

export function validatePodCreate(pod: Pod, options: PodValidationOptions): FieldError[] {
  const path = FieldPath.of("spec");
  const errors = validatePod(pod, options);
  if ((pod.spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbidden(path.child("ephemeralContainers"), "cannot be set on create"));
  }
  if ((pod.spec.nodeName ?? "") !== "" && (pod.spec.schedulingGates ?? []).length > 0) {
    const why = "cannot be set until all schedulingGates have been cleared";
    errors.push(forbidden(path.child("nodeName"), why));
  }
  return [
    ...errors,
    ...validateSeccompAgreement(pod, path, options),
    ...validateAppArmorAgreement(pod, path, options),
  ];
}

/** Rules for both creation and updates of pods. */
export function validatePod(pod: Pod, options: PodValidationOptions): FieldError[] {
  const { spec } = pod;
  const path = FieldPath.of("spec");
  const errors = [
    ...validatePodAnnotations(pod, FieldPath.of("metadata", "annotations"), options),
    ...validatePodSpec(spec, pod.metadata, path, options),
  ];
  if ((spec.serviceAccountName ?? "") === "") append(errors, validateNoTokens(pod, path.child("volumes")));
  return [
    ...errors,
    ...validateImageSpace(spec.containers, path.child("containers")),
    ...validateImageSpace(spec.initContainers, path.child("initContainers")),
  ];
}

function validateNoTokens({ spec }: Pod, path: FieldPath): FieldError[] {
  return (spec.volumes ?? []).flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, sourceIndex) => {
      if (serviceAccountToken === undefined) return [];
      const at = path.index(index).child("projected", "sources").index(sourceIndex);
      const why = "must not be specified when serviceAccountName is not set";
      return [forbidden(at.child("serviceAccountToken"), why)];
    }),
  );
}
