import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notFoundField,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { EphemeralContainer, PodSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { type ContainerChecks, validateImageSpace, validateNoSubPaths } from "./container-checks.js";
import type { AnyContainer } from "./containers.js";
import { validateEnv, validateEnvFrom } from "./env-validation.js";
import { validateVolumeDevices, validateVolumeMounts } from "./mount-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { validateContainerPorts, validateHostPortConflicts } from "./port-validation.js";
import { printLifecycle, printProbe } from "./printed-values.js";
import { validateLifecycle, validateProbe } from "./probe-validation.js";
import { validateResourceRequirements } from "./resource-validation.js";
import { validateSecurityContext } from "./security-validation.js";

/** Init and ephemeral containers have the same fields. */
const rules = fieldRules<AnyContainer>(coreV1Types, "Container");
const specRules = fieldRules<PodSpec>(coreV1Types, "PodSpec");

/** Checks containers as Kubernetes did up to 1.24, when one function served all three kinds: with other messages, in another order. */
export function validateFirstContainers(
  containers: readonly AnyContainer[] | undefined,
  path: FieldPath,
  checks: ContainerChecks,
): FieldError[] {
  if (containers === undefined || containers.length === 0) {
    return specRules.checkValue("containers", containers, path);
  }
  return [...validateEach(containers, path, checks), ...validateHostPortConflicts(containers, path)];
}

function validateEach(
  containers: readonly AnyContainer[],
  path: FieldPath,
  checks: ContainerChecks,
): FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(containers, (container, index) => {
    const { name } = container;
    const at = path.index(index);
    const errors = rules.check(container, at, "name");
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    return [...errors, ...validateContainer(container, at, checks)];
  });
}

function validateContainer(
  container: AnyContainer,
  path: FieldPath,
  { spec, volumes, options }: ContainerChecks,
): FieldError[] {
  return [
    ...rules.check(container, path, "image"),
    ...validateLiveness(container, path, spec, options),
    ...validateMessagePolicy(container.terminationMessagePolicy ?? "", path),
    ...validateProbe(container.readinessProbe, path.child("readinessProbe")),
    ...validateContainerPorts(container.ports, path.child("ports")),
    ...validateEnv(container.env, path.child("env"), options),
    ...validateEnvFrom(container.envFrom, path.child("envFrom"), options),
    ...validateVolumeMounts(container, volumes, path.child("volumeMounts"), options),
    ...validateVolumeDevices(container, volumes, path.child("volumeDevices")),
    ...rules.check(container, path, "imagePullPolicy"),
    ...validateResourceRequirements(container.resources, path.child("resources"), options),
    ...validateSecurityContext(container.securityContext, path.child("securityContext"), options, spec),
  ];
}

function validateLiveness(
  container: AnyContainer,
  path: FieldPath,
  spec: PodSpec,
  options: PodValidationOptions,
): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const errors =
    lifecycle === undefined ? [] : validateLifecycle(lifecycle, path.child("lifecycle"), spec, options);
  append(errors, validateProbe(livenessProbe, path.child("livenessProbe")));
  const readinessGrace = readinessProbe?.terminationGracePeriodSeconds;
  if (readinessGrace !== undefined) {
    errors.push(
      invalid(
        path.child("readinessProbe", "terminationGracePeriodSeconds"),
        readinessGrace,
        "must not be set for readinessProbes",
      ),
    );
  }
  // Kubernetes checked it twice and reported every error twice.
  const startupErrors = validateProbe(startupProbe, path.child("startupProbe"));
  return [
    ...errors,
    ...startupErrors,
    ...successErrors(livenessProbe, path.child("livenessProbe")),
    ...startupErrors,
    ...successErrors(startupProbe, path.child("startupProbe")),
  ];
}

function successErrors(probe: AnyContainer["livenessProbe"], path: FieldPath): FieldError[] {
  if (probe === undefined || probe.successThreshold === 1) return [];
  return [invalid(path.child("successThreshold"), probe.successThreshold ?? 0, "must be 1")];
}

function validateMessagePolicy(policy: string, path: FieldPath): FieldError[] {
  if (rules.supported("terminationMessagePolicy").includes(policy)) return [];
  const at = path.child("terminationMessagePolicy");
  const why = "must be 'File' or 'FallbackToLogsOnError'";
  return [policy === "" ? required(at, why) : invalid(at, policy, why)];
}

export function validateFirstInitContainers(
  spec: Pick<PodSpec, "initContainers" | "containers">,
  path: FieldPath,
  checks: ContainerChecks,
): FieldError[] {
  const containers = spec.initContainers ?? [];
  if (containers.length === 0) return [];
  const errors = validateEach(containers, path, checks);
  // Init containers run one after another, so the ports of different ones cannot conflict.
  for (const container of containers) append(errors, validateHostPortConflicts([container], path));
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    if (names.has(container.name)) errors.push(duplicate(at.child("name"), container.name));
    if (container.name !== "") names.add(container.name);
    const refused = "must not be set for init containers";
    if (container.lifecycle !== undefined) {
      errors.push(invalid(at.child("lifecycle"), printLifecycle(container.lifecycle), refused));
    }
    for (const field of ["livenessProbe", "readinessProbe", "startupProbe"] as const) {
      const probe = container[field];
      if (probe !== undefined) errors.push(invalid(at.child(field), printProbe(probe), refused));
    }
  }
  return errors;
}

/** Ephemeral containers are for debugging and not part of the workload. */
const refusedInEphemeralContainers = [
  "ports",
  "resources",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const satisfies readonly (keyof EphemeralContainer)[];

export function validateFirstEphemeralContainers(
  spec: Pick<PodSpec, "ephemeralContainers" | "initContainers" | "containers">,
  path: FieldPath,
  checks: ContainerChecks,
): FieldError[] {
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const names = new Set(others.map((container) => container.name));
  return errorsOfEach(spec.ephemeralContainers, (container, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    const { name, targetContainerName = "" } = container;
    if (targetContainerName !== "" && !names.has(targetContainerName)) {
      errors.push(notFoundField(at.child("targetContainerName"), targetContainerName));
    }
    if (name === "") return [...errors, required(at, "ephemeralContainer requires a name")];
    // Kubernetes validates a list of one container, hence the second index in the path.
    append(errors, validateFirstContainers([container], at, checks));
    append(errors, validateImageSpace([container], at));
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    for (const field of refusedInEphemeralContainers) {
      const value = container[field];
      // Resources are always present; empty means unset.
      const isSet = field === "resources" ? !isDeepEqual(value, {}) : value !== undefined;
      if (!isSet) continue;
      errors.push(forbidden(at.child(field), "cannot be set for an Ephemeral Container"));
    }
    return [...errors, ...validateNoSubPaths(container, at.child("volumeMounts"))];
  });
}
