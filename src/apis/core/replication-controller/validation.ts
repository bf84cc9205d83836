import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { printStringMap } from "../../checks/printed-values.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  PodTemplateSpec,
  ReplicationController,
  ReplicationControllerSpec,
  ReplicationControllerStatus,
  Volume,
} from "../../gen/core-v1.js";
import type { PodValidationOptions } from "../pod-spec/pod-validation-rules.js";
import { validatePodTemplateSpec } from "../pod-spec/validation.js";
import { coreV1Types } from "../v1/types.js";

const specRules = fieldRules<ReplicationControllerSpec>(coreV1Types, "ReplicationControllerSpec");
const statusRules = fieldRules<ReplicationControllerStatus>(coreV1Types, "ReplicationControllerStatus");

export function validateReplicationController(
  object: ReplicationController,
  options: PodValidationOptions,
): FieldError[] {
  const { spec } = object;
  const path = FieldPath.of("spec");
  const errors = specRules.check(spec, path, "minReadySeconds", "selector", "replicas", "template");
  return spec.template === undefined
    ? errors
    : [...errors, ...validateTemplate(spec.template, spec, path.child("template"), options)];
}

function validateTemplate(
  template: PodTemplateSpec,
  spec: ReplicationControllerSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const labels = template.metadata.labels ?? {};
  if (!Object.entries(spec.selector ?? {}).every(([key, value]) => labels[key] === value)) {
    errors.push(
      invalid(
        path.child("metadata", "labels"),
        printStringMap(template.metadata.labels),
        "`selector` does not match template `labels`",
      ),
    );
  }
  append(errors, validatePodTemplateSpec(template, path, options));
  if ((spec.replicas ?? 0) > 1) {
    append(
      errors,
      validateReadOnlyPersistentDisks(template.spec.volumes, path.child("spec", "volumes"), options),
    );
  }
  const { restartPolicy = "", activeDeadlineSeconds } = template.spec;
  if (restartPolicy !== "Always") {
    errors.push(notSupported(path.child("spec", "restartPolicy"), restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    errors.push(
      forbidden(
        path.child("spec", "activeDeadlineSeconds"),
        "activeDeadlineSeconds in ReplicationController is not Supported",
      ),
    );
  }
  return errors;
}

/** Several pods can share such a disk only if all of them mount it read-only. */
export function validateReadOnlyPersistentDisks(
  volumes: readonly Volume[] | undefined,
  path: FieldPath,
  { allowWritablePersistentDisks }: Pick<PodValidationOptions, "allowWritablePersistentDisks">,
): FieldError[] {
  if (allowWritablePersistentDisks) return [];
  return (volumes ?? []).flatMap(({ gcePersistentDisk }, index) =>
    gcePersistentDisk === undefined || gcePersistentDisk.readOnly === true
      ? []
      : [
          invalid(
            path.index(index).child("gcePersistentDisk", "readOnly"),
            false,
            "must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only",
          ),
        ],
  );
}

export function validateReplicationControllerStatus(status: ReplicationControllerStatus): FieldError[] {
  const path = FieldPath.of("status");
  const counts = {
    replicas: status.replicas,
    fullyLabeledReplicas: status.fullyLabeledReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
  };
  const errors = [
    ...statusRules.check(status, path, "replicas", "fullyLabeledReplicas", "readyReplicas"),
    ...statusRules.check(status, path, "availableReplicas", "observedGeneration"),
  ];
  for (const name of ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const) {
    if (counts[name] > counts.replicas) {
      errors.push(invalid(path.child(name), counts[name], "cannot be greater than status.replicas"));
    }
  }
  if (counts.availableReplicas > counts.readyReplicas) {
    errors.push(
      invalid(
        path.child("availableReplicas"),
        counts.availableReplicas,
        "cannot be greater than readyReplicas",
      ),
    );
  }
  return errors;
}
