import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateAnnotations, validateLabels } from "../../../apimachinery/validation/labels.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  PodReadinessGate,
  PodSchedulingGroup,
  PodSpec,
  PodTemplateSpec,
  WorkloadReference,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { validatePodAnnotations, validateSeccompAgreement } from "./annotation-validation.js";
import { validateAppArmorAgreement } from "./app-armor-validation.js";
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from "./container-validation.js";
import { validateDnsConfig, validateHostAliases } from "./dns-validation.js";
import { validateFileKeyVolumes } from "./env-validation.js";
import { validateOs } from "./os-validation.js";
import { validatePodResources } from "./pod-resources-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { validateResourceClaims } from "./resource-claim-validation.js";
import { validateResourceRequirements } from "./resource-validation.js";
import {
  validateAffinity,
  validateSchedulingGates,
  validateTopologySpread,
} from "./scheduling-validation.js";
import { validateHostPorts, validatePodSecurityContext } from "./security-validation.js";
import { validateTolerations } from "./toleration-validation.js";
import { validateHostUsers } from "./user-namespace-validation.js";
import { type PodMeta, validateVolumes } from "./volume-validation.js";
import { validateHostProcess } from "./windows-validation.js";

export const int32Max = 2 ** 31 - 1;
const rules = fieldRules<PodSpec>(coreV1Types, "PodSpec");
const gateRules = fieldRules<PodReadinessGate>(coreV1Types, "PodReadinessGate");
const workloadRules = fieldRules<WorkloadReference>(coreV1Types, "WorkloadReference");
const groupRules = fieldRules<PodSchedulingGroup>(coreV1Types, "PodSchedulingGroup");

/** `path` is the template's: `spec.template`. Validates the metadata that pods will copy. */
export function validatePodTemplateSpec(
  template: PodTemplateSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { metadata, spec } = template;
  const specPath = path.child("spec");
  const errors = [
    ...validateLabels(metadata.labels, path.child("labels")),
    ...validateAnnotations(metadata.annotations, path.child("annotations")),
    ...validatePodAnnotations(template, path.child("annotations"), options),
    ...validatePodSpec(spec, undefined, specPath, options),
    ...validateSeccompAgreement(template, specPath, options),
    ...validateAppArmorAgreement(template, specPath, options),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const why = "ephemeral containers not allowed in pod template";
    errors.push(forbidden(specPath.child("ephemeralContainers"), why));
  }
  return errors;
}

/** `podMeta` is the pod's; undefined for a template. */
export function validatePodSpec(
  spec: PodSpec,
  podMeta: PodMeta,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { volumes, errors } = validateVolumes(spec.volumes, podMeta, path.child("volumes"), options);
  const checks = { spec, volumes, options };
  return [
    ...errors,
    ...validateResourceClaims(spec.resourceClaims, path.child("resourceClaims"), options),
    ...validateContainers(path.child("containers"), checks),
    ...validateInitContainers(path.child("initContainers"), checks),
    ...validateEphemeralContainers(path.child("ephemeralContainers"), checks),
    ...validatePodResources(spec, path.child("resources"), options),
    ...(isAtLeast(options.level, "1.28") ? validateHostPorts(spec, path.child("containers"), options) : []),
    ...rules.check(spec, path, "restartPolicy", "dnsPolicy"),
    ...validateLabels(spec.nodeSelector, path.child("nodeSelector")),
    ...validatePodSecurityContext(spec, path, options),
    ...validateAffinity(spec.affinity, path.child("affinity"), options),
    ...validateDnsConfig(spec, path.child("dnsConfig"), options),
    ...validateReadinessGates(spec, path.child("readinessGates")),
    ...validateSchedulingGates(spec, path.child("schedulingGates")),
    ...validateTopologySpread(
      spec.topologySpreadConstraints,
      path.child("topologySpreadConstraints"),
      options,
    ),
    ...validateHostProcess(spec, path, options),
    ...validateHostUsers(spec, path, options),
    ...validateHostnameOverride(spec, path),
    ...rules.check(spec, path, "serviceAccountName", "nodeName"),
    ...rules.check(spec, path, "activeDeadlineSeconds", "hostname", "subdomain"),
    ...validateTolerations(spec.tolerations, path.child("tolerations"), options),
    ...validateHostAliases(spec.hostAliases, path.child("hostAliases"), options),
    ...rules.check(spec, path, "priorityClassName", "runtimeClassName", "preemptionPolicy"),
    ...(spec.overhead === undefined
      ? []
      : validateResourceRequirements({ limits: spec.overhead }, path.child("overhead"), options)),
    ...validateOs(spec, path),
    ...validateGroup(spec, path),
    ...validateFileKeyVolumes(spec, path),
  ];
}

function validateReadinessGates({ readinessGates }: PodSpec, path: FieldPath): FieldError[] {
  return errorsOfEach(readinessGates, (gate, index) =>
    gateRules.check(gate, path.index(index), "conditionType"),
  );
}

function validateHostnameOverride(spec: PodSpec, path: FieldPath): FieldError[] {
  const { hostnameOverride: name, hostNetwork, setHostnameAsFQDN } = spec;
  if (name === undefined) return [];
  const at = path.child("hostnameOverride");
  const errors: FieldError[] = [];
  if (setHostnameAsFQDN === true) {
    errors.push(forbidden(at, "may not be specified when setHostnameAsFQDN is true"));
  }
  if (hostNetwork === true) errors.push(forbidden(at, "may not be specified when hostNetwork is true"));
  return [...errors, ...rules.check(spec, path, "hostnameOverride")];
}

/** The pod group: referenced through a workload at 1.35, directly since 1.36. */
function validateGroup({ workloadRef, schedulingGroup }: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (workloadRef !== undefined) {
    const at = path.child("workloadRef");
    append(errors, workloadRules.check(workloadRef, at, "name", "podGroup", "podGroupReplicaKey"));
  }
  if (schedulingGroup !== undefined) {
    const at = path.child("schedulingGroup");
    if (schedulingGroup.podGroupName === undefined) {
      errors.push(invalid(at.child("podGroupName"), undefined, "must specify one of: `podGroupName`"));
    }
    append(errors, groupRules.check(schedulingGroup, at, "podGroupName"));
  }
  return errors;
}
