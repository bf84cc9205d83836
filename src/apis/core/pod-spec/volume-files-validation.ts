import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  KeyToPath,
  LocalObjectReference,
  ProjectedVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { validatePodCertificate, validateTrustBundle } from "./certificate-volume-validation.js";
import {
  validateObjectFieldSelector,
  validateResourceFieldSelector,
  volumeFields,
} from "./downward-api-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const secretRules = fieldRules<SecretVolumeSource>(coreV1Types, "SecretVolumeSource");
const itemRules = fieldRules<KeyToPath>(coreV1Types, "KeyToPath");
const configMapRules = fieldRules<ConfigMapVolumeSource>(coreV1Types, "ConfigMapVolumeSource");
const downwardRules = fieldRules<DownwardAPIVolumeSource>(coreV1Types, "DownwardAPIVolumeSource");
const projectedRules = fieldRules<ProjectedVolumeSource>(coreV1Types, "ProjectedVolumeSource");
const tokenRules = fieldRules<ServiceAccountTokenProjection>(coreV1Types, "ServiceAccountTokenProjection");
const fileRules = fieldRules<DownwardAPIVolumeFile>(coreV1Types, "DownwardAPIVolumeFile");
const referenceRules = fieldRules<LocalObjectReference>(coreV1Types, "LocalObjectReference");

/** Volumes whose files the node agent writes: secrets, config maps, downward API, tokens. */

export function validateSecretSource(source: SecretVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...secretRules.check(source, path, "secretName", "defaultMode"),
    ...validateItems(source.items, path.child("items")),
  ];
}

export function validateConfigMapSource(source: ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...configMapRules.check(source, path, "name", "defaultMode"),
    ...validateItems(source.items, path.child("items")),
  ];
}

export function validateDownwardApiSource(
  source: DownwardAPIVolumeSource,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return [
    ...downwardRules.check(source, path, "defaultMode"),
    // Kubernetes does not report the file's index.
    ...errorsOfEach(source.items, (file) => validateDownwardApiFile(file, path, options)),
  ];
}

export function validateProjectedSource(
  source: ProjectedVolumeSource,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors = projectedRules.check(source, path, "defaultMode");
  const taken = new Set<string>();
  for (const [index, projection] of (source.sources ?? []).entries()) {
    const at = path.child("sources").index(index);
    append(errors, validateProjection(projection, at, path, options, taken));
    const kinds = Object.values(projection).filter((kind) => kind !== undefined);
    if (kinds.length > 1) {
      const where = isAtLeast(options.level, "1.31") ? " per source" : "";
      errors.push(forbidden(at, `may not specify more than 1 volume type${where}`));
    }
  }
  return errors;
}

/** `path` is that of the volume source, where conflicts are reported. */
function validateProjection(
  projection: VolumeProjection,
  at: FieldPath,
  path: FieldPath,
  options: PodValidationOptions,
  taken: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const kind of ["secret", "configMap"] as const) {
    const part = projection[kind];
    if (part === undefined) continue;
    const { name = "" } = part;
    append(errors, referenceRules.check(part, at.child(kind), "name"));
    for (const [index, item] of (part.items ?? []).entries()) {
      append(errors, [
        ...itemRules.check(item, at.child(kind, "items").index(index), "key", "path", "mode"),
        ...claim(item.path, name),
      ]);
    }
  }
  for (const file of projection.downwardAPI?.items ?? []) {
    append(errors, validateDownwardApiFile(file, at.child("downwardAPI"), options));
    append(errors, claim(file.path));
  }
  if (projection.serviceAccountToken !== undefined) {
    append(
      errors,
      validateToken(projection.serviceAccountToken, at.child("serviceAccountToken"), path, options),
    );
  }
  const { clusterTrustBundle: bundle, podCertificate: certificate } = projection;
  if (bundle !== undefined) {
    // The name that the field had at first.
    const name = isAtLeast(options.level, "1.31") ? "clusterTrustBundle" : "clusterTrustBundlePEM";
    append(errors, validateTrustBundle(bundle, at.child(name)));
    append(errors, claim(bundle.path));
  }
  if (certificate !== undefined) {
    const { domain } = options.naming;
    append(
      errors,
      validatePodCertificate(certificate, at.child("podCertificate"), domain, (file) => claim(file)),
    );
  }
  return errors;

  function claim(filePath: string, shown = filePath): FieldError[] {
    if (filePath === "") return [];
    if (taken.has(filePath)) return [invalid(path, shown, "conflicting duplicate paths")];
    taken.add(filePath);
    return [];
  }
}

function validateToken(
  { expirationSeconds = 0, path: filePath }: ServiceAccountTokenProjection,
  at: FieldPath,
  path: FieldPath,
  { allowTokenPathsOutside }: PodValidationOptions,
): FieldError[] {
  return [
    ...tokenRules.checkValue("expirationSeconds", expirationSeconds, at.child("expirationSeconds")),
    ...(allowTokenPathsOutside && filePath !== ""
      ? []
      : tokenRules.checkValue("path", filePath, path.child("path"))),
  ];
}

function validateDownwardApiFile(
  file: DownwardAPIVolumeFile,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { fieldRef, resourceFieldRef } = file;
  const errors = fileRules.check(file, path, "path");
  if (fieldRef !== undefined) {
    append(errors, validateObjectFieldSelector(fieldRef, volumeFields, path.child("fieldRef"), options));
    if (resourceFieldRef !== undefined) {
      errors.push(
        invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"),
      );
    }
  } else if (resourceFieldRef !== undefined) {
    append(errors, [
      ...validateResourceFieldSelector(resourceFieldRef, path.child("resourceFieldRef"), options, "volume"),
    ]);
  } else errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  return [...errors, ...fileRules.check(file, path, "mode")];
}

function validateItems(items: readonly KeyToPath[] | undefined, path: FieldPath): FieldError[] {
  return errorsOfEach(items, (item, index) =>
    itemRules.check(item, path.index(index), "key", "path", "mode"),
  );
}
