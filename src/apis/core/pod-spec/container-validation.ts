import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notFoundField,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Container, ContainerResizePolicy, EphemeralContainer, PodSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { type ContainerChecks, imageSpaceErrors, validateNoSubPaths } from "./container-checks.js";
import {
  validateFirstContainers,
  validateFirstEphemeralContainers,
  validateFirstInitContainers,
} from "./container-validation-before-1-25.js";
import { type AnyContainer, isSidecar } from "./containers.js";
import { validateEnv, validateEnvFrom } from "./env-validation.js";
import { validateVolumeDevices, validateVolumeMounts } from "./mount-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { validateContainerPorts, validateHostPortConflicts } from "./port-validation.js";
import { printResizePolicies } from "./printed-values.js";
import { validateLifecycle, validateProbe } from "./probe-validation.js";
import { validateClaimReferences } from "./resource-claim-validation.js";
import { validateResourceRequirements } from "./resource-validation.js";
import {
  validateInitRestartPolicy,
  validateResizePolicy,
  validateRestartPolicy,
} from "./restart-validation.js";
import { validateSecurityContext } from "./security-validation.js";

/** Init and ephemeral containers have the same fields. */
const rules = fieldRules<AnyContainer>(coreV1Types, "Container");
const specRules = fieldRules<PodSpec>(coreV1Types, "PodSpec");

export function validateContainers(path: FieldPath, checks: ContainerChecks): FieldError[] {
  const { spec, options } = checks;
  if (!isAtLeast(options.level, "1.25")) return validateFirstContainers(spec.containers, path, checks);
  const { containers = [] } = spec;
  if (containers.length === 0) return specRules.checkValue("containers", containers, path);
  const names = new Set<string>();
  const errors = errorsOfEach(containers, (container, index) => {
    const at = path.index(index);
    const found = validateAnyContainer(container, at, checks);
    if (names.has(container.name)) found.push(duplicate(at.child("name"), container.name));
    names.add(container.name);
    append(found, validateLiveness(container, at, checks));
    if (options.allowRestartRules) {
      append(found, validateRestartPolicy(container, at, options));
    } else if (container.restartPolicy !== undefined) {
      found.push(forbidden(at.child("restartPolicy"), "may not be set for non-init containers"));
    }
    return found;
  });
  return [...errors, ...validateHostPortConflicts(containers, path)];
}

/** What holds for containers of all kinds. */
function validateAnyContainer(
  container: AnyContainer,
  path: FieldPath,
  { spec, volumes, options }: ContainerChecks,
): FieldError[] {
  const { resources } = container;
  return [
    ...rules.check(container, path, "name", "image", "terminationMessagePolicy"),
    ...validateContainerPorts(container.ports, path.child("ports")),
    ...validateEnv(container.env, path.child("env"), options),
    ...validateEnvFrom(container.envFrom, path.child("envFrom"), options),
    ...validateVolumeMounts(container, volumes, path.child("volumeMounts"), options),
    ...validateVolumeDevices(container, volumes, path.child("volumeDevices")),
    ...rules.check(container, path, "imagePullPolicy"),
    ...validateResourceRequirements(resources, path.child("resources"), options),
    ...validateClaimReferences(resources.claims, spec, path.child("resources", "claims")),
    ...validateResizePolicy(container.resizePolicy, spec, path.child("resizePolicy"), options),
    ...validateSecurityContext(container.securityContext, path.child("securityContext"), options, spec),
  ];
}

function validateLiveness(
  container: AnyContainer,
  path: FieldPath,
  { spec, options }: ContainerChecks,
): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const errors =
    lifecycle === undefined ? [] : validateLifecycle(lifecycle, path.child("lifecycle"), spec, options);
  append(errors, validateOneSuccess(livenessProbe, path.child("livenessProbe")));
  append(errors, validateProbe(readinessProbe, path.child("readinessProbe")));
  const readinessGrace = readinessProbe?.terminationGracePeriodSeconds;
  if (readinessGrace !== undefined) {
    const at = path.child("readinessProbe", "terminationGracePeriodSeconds");
    errors.push(invalid(at, readinessGrace, "must not be set for readinessProbes"));
  }
  return [...errors, ...validateOneSuccess(startupProbe, path.child("startupProbe"))];
}

function validateOneSuccess(probe: AnyContainer["livenessProbe"], path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const { successThreshold = 0 } = probe;
  const errors = validateProbe(probe, path);
  if (successThreshold !== 1)
    errors.push(invalid(path.child("successThreshold"), successThreshold, "must be 1"));
  return errors;
}

export function validateInitContainers(path: FieldPath, checks: ContainerChecks): FieldError[] {
  const { spec, options } = checks;
  if (!isAtLeast(options.level, "1.25")) return validateFirstInitContainers(spec, path, checks);
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  return errorsOfEach(spec.initContainers, (container, index) => {
    const at = path.index(index);
    const { name, resizePolicy = [] } = container;
    const errors = validateAnyContainer(container, at, checks);
    append(errors, validateInitRestartPolicy(container, at, options));
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    if (name !== "") names.add(name);
    // Init containers run one after another, so the ports of different ones cannot conflict.
    append(errors, validateHostPortConflicts([container], path));
    append(
      errors,
      isSidecar(container)
        ? validateLiveness(container, at, checks)
        : validateNoLiveness(container, at, options),
    );
    if (resizePolicy.length > 0 && !options.allowSidecarResizePolicy) {
      const printed = printResizePolicies(resizePolicy);
      errors.push(invalid(at.child("resizePolicy"), printed, "must not be set for init containers"));
    }
    if (!isSidecar(container) && !options.allowInitRestartOnResize) {
      append(errors, validateNoRestartOnResize(resizePolicy, at.child("resizePolicy")));
    }
    return errors;
  });
}

/** A container that never restarts cannot be resized by a restart. */
function validateNoRestartOnResize(
  policies: readonly ContainerResizePolicy[],
  path: FieldPath,
): FieldError[] {
  return errorsOfEach(policies, ({ restartPolicy }, index) => {
    if (restartPolicy !== "RestartContainer") return [];
    const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    return [invalid(path.index(index).child("restartPolicy"), restartPolicy, why)];
  });
}

function validateNoLiveness(
  container: Container,
  path: FieldPath,
  { level }: PodValidationOptions,
): FieldError[] {
  const unless = isAtLeast(level, "1.28") ? " without restartPolicy=Always" : "";
  return (["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const)
    .filter((field) => container[field] !== undefined)
    .map((field) => forbidden(path.child(field), `may not be set for init containers${unless}`));
}

/** Ephemeral containers are for debugging and not part of the workload. */
const refusedInEphemeralContainers = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const satisfies readonly (keyof EphemeralContainer)[];

export function validateEphemeralContainers(path: FieldPath, checks: ContainerChecks): FieldError[] {
  const { spec, options } = checks;
  if (!isAtLeast(options.level, "1.25")) return validateFirstEphemeralContainers(spec, path, checks);
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name),
  );
  const names = new Set(others);
  return errorsOfEach(spec.ephemeralContainers, (container, index) => {
    const at = path.index(index);
    const { name, targetContainerName = "" } = container;
    const errors = [
      ...validateAnyContainer(container, at, checks),
      ...imageSpaceErrors(container, at.child("image")),
    ];
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    if (targetContainerName !== "" && !others.has(targetContainerName)) {
      errors.push(notFoundField(at.child("targetContainerName"), targetContainerName));
    }
    for (const field of refusedInEphemeralContainers) {
      const value = container[field];
      // Resources are always present; empty means unset.
      const isSet = field === "resources" ? !isDeepEqual(value, {}) : value !== undefined;
      if (isSet) errors.push(forbidden(at.child(field), "cannot be set for an Ephemeral Container"));
    }
    return [...errors, ...validateNoSubPaths(container, at.child("volumeMounts"))];
  });
}
