import { type FieldError, type FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { validateDnsLabel, validateDnsSubdomain } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CSIPersistentVolumeSource, SecretReference } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const csiRules = fieldRules<CSIPersistentVolumeSource>(coreV1Types, "CSIPersistentVolumeSource");

export function validateCsi(
  source: CSIPersistentVolumeSource,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  return [
    ...validateDriverName(source.driver, path.child("driver")),
    ...csiRules.check(source, path, "volumeHandle"),
    ...csiSecretErrors(source.controllerPublishSecretRef, "controllerPublishSecretRef", path, level),
    ...csiSecretErrors(source.controllerExpandSecretRef, "controllerExpandSecretRef", path, level),
    ...csiSecretErrors(source.nodePublishSecretRef, nodePublishSecretRefAt(level), path, level),
    ...csiSecretErrors(source.nodeExpandSecretRef, "nodeExpandSecretRef", path, level),
  ];
}

/** What errors call the field; at 1.23, with a trailing space. */
export function nodePublishSecretRefAt(level: ApiLevel): string {
  return isAtLeast(level, "1.24") ? "nodePublishSecretRef" : "nodePublishSecretRef ";
}

function csiSecretErrors(
  secret: SecretReference | undefined,
  field: string,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  if (secret === undefined) return [];
  // Before 1.25, a bad value is reported beside the reference, and a missing one inside it.
  const within = isAtLeast(level, "1.25") ? path.child(field) : path;
  return (["name", "namespace"] as const).flatMap((part) => {
    const value = secret[part] ?? "";
    if (value === "") return [required(path.child(field, part), "")];
    return part === "name" && isAtLeast(level, "1.27")
      ? validateDnsSubdomain(value, within.child(part))
      : validateDnsLabel(value, within.child(part));
  });
}
