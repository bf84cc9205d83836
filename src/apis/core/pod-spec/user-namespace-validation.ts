import { type FieldError, type FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { PodSpec, Volume } from "../../gen/core-v1.js";
import { placedContainers } from "./containers.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

/** The volume types that pods with user namespaces could mount at first. */
const firstVolumes = [
  "configMap",
  "secret",
  "projected",
  "downwardAPI",
  "emptyDir",
] as const satisfies readonly (keyof Volume)[];

/** A pod with `hostUsers: false` must not share other namespaces with its host. Kubernetes misspells two of the paths. */
export function validateHostUsers(
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const field = isAtLeast(options.level, "1.34") ? "hostUsers" : "pod.Spec.HostUsers";
  const refused = `when \`${field}\` is false`;
  const errors: FieldError[] = [];
  if (!isAtLeast(options.level, "1.28")) {
    for (const [index, volume] of (spec.volumes ?? []).entries()) {
      if (firstVolumes.some((source) => volume[source] !== undefined)) continue;
      errors.push(forbidden(path.child("volumes").index(index), `volume type not supported ${refused}`));
    }
  }
  if (spec.hostNetwork === true && !options.allowUserNamespacesOnHostNetwork) {
    errors.push(forbidden(path.child("hostNetwork"), refused));
  }
  if (spec.hostPID === true) errors.push(forbidden(path.child("HostPID"), refused));
  if (spec.hostIPC === true) errors.push(forbidden(path.child("HostIPC"), refused));
  if (!options.allowUserNamespacesWithDevices) {
    for (const { container, path: at } of placedContainers(spec, path)) {
      if ((container.volumeDevices ?? []).length === 0) continue;
      errors.push(forbidden(at.child("volumeDevices"), refused));
    }
  }
  return errors;
}
