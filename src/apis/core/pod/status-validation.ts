import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  hasErrors,
  invalid,
  PrintedValue,
} from "../../../apimachinery/errors/field-error.js";
import { ipFamilyOf, isValidIp } from "../../../apimachinery/validation/ip-addresses.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { repeated } from "../../../apimachinery/validation/repeated.js";
import type { ContainerStatus, Pod } from "../../gen/core-v1.js";
import { validatePodAnnotations } from "../pod-spec/annotation-validation.js";
import type { PodValidationOptions } from "../pod-spec/pod-validation-rules.js";
import { problemsAt, validateObjectName } from "../pod-spec/value-checks.js";
import { validateAnnotationChanges } from "./update-validation.js";

export function validatePodStatusUpdate(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const path = FieldPath.of("status");
  const { status } = pod;
  const errors = [
    ...validateAnnotationChanges(pod, old, options),
    ...validatePodAnnotations(pod, FieldPath.of("metadata", "annotations"), options),
    ...validateConditions(pod),
  ];
  const nominated = status.nominatedNodeName ?? "";
  if (nominated !== "" && nominated !== old.status.nominatedNodeName) {
    append(errors, validateObjectName(nominated, path.child("nominatedNodeName")));
  }
  for (const field of ["containerStatuses", "initContainerStatuses"] as const) {
    append(errors, [
      ...validateStates(status[field], old.status[field], old.spec.restartPolicy, path.child(field)),
    ]);
  }
  const addressErrors = validateAddresses(pod, path.child("podIPs"));
  // Invalid stored addresses must not block updates of the status.
  if (addressErrors.length > 0 && !hasErrors(() => validateAddresses(old, path)))
    append(errors, addressErrors);
  return errors;
}

/** The path is Kubernetes', which says metadata. */
function validateConditions({ status }: Pod): FieldError[] {
  const path = FieldPath.of("metadata", "conditions");
  return (status.conditions ?? []).flatMap(({ type }, index) =>
    problemsAt(path.index(index).child("Type"), type, isQualifiedName(type)),
  );
}

/** A container without restarts cannot leave the terminated state. */
function validateStates(
  statuses: readonly ContainerStatus[] | undefined,
  old: readonly ContainerStatus[] | undefined,
  restartPolicy: string | undefined,
  path: FieldPath,
): FieldError[] {
  if (restartPolicy === "Always") return [];
  const startedAgain = new Map<string, number>();
  for (const { name, state } of statuses ?? []) {
    if (state.terminated === undefined) startedAgain.set(name, (startedAgain.get(name) ?? 0) + 1);
  }
  return (old ?? []).flatMap(({ name, state: { terminated } }, index) => {
    if (terminated === undefined) return [];
    if (terminated.exitCode !== 0 && restartPolicy === "OnFailure") return [];
    return Array.from({ length: startedAgain.get(name) ?? 0 }, () =>
      forbidden(path.index(index).child("state"), "may not be transitioned to non-terminated state"),
    );
  });
}

function validateAddresses({ status }: Pod, path: FieldPath): FieldError[] {
  const addresses = (status.podIPs ?? []).map(({ ip = "" }) => ip);
  const errors = addresses.flatMap((ip, index) => problemsAt(path.index(index), ip, isValidIp(ip)));
  if (addresses.length <= 1) return errors;
  const families = new Set(addresses.map(ipFamilyOf));
  if (families.size !== 2 || addresses.length > 2) {
    const shown = new PrintedValue(`[]core.PodIP{${addresses.map(printAddress).join(", ")}}`);
    errors.push(invalid(path, shown, "may specify no more than one IP for each IP family"));
  }
  for (const [index, ip] of repeated(addresses)) {
    errors.push(duplicate(path.index(index), new PrintedValue(printAddress(ip))));
  }
  return errors;
}

function printAddress(ip: string): string {
  return `core.PodIP{IP:${JSON.stringify(ip)}}`;
}
