import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notFoundField,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { isEnvVarName, isRelaxedEnvVarName } from "../../../apimachinery/validation/identifiers.js";
import { problemsAt, validateObjectName } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  FileKeySelector,
  PodSpec,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { placedContainers } from "./containers.js";
import {
  environmentFieldsAt,
  validateObjectFieldSelector,
  validateResourceFieldSelector,
} from "./downward-api-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const keyRules = fieldRules<ConfigMapKeySelector>(coreV1Types, "ConfigMapKeySelector");
const fileKeyRules = fieldRules<FileKeySelector>(coreV1Types, "FileKeySelector");

export function validateEnv(
  variables: readonly EnvVar[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return errorsOfEach(variables, (variable, index) => {
    const namePath = path.index(index).child("name");
    return [
      ...(variable.name === ""
        ? [required(namePath, "")]
        : problemsAt(namePath, variable.name, nameProblems(variable.name, options))),
      ...validateValueFrom(variable, path.index(index).child("valueFrom"), options),
    ];
  });
}

function nameProblems(name: string, { allowRelaxedEnvNames }: PodValidationOptions): string[] {
  return allowRelaxedEnvNames ? isRelaxedEnvVarName(name) : isEnvVarName(name);
}

function validateValueFrom(
  { value = "", valueFrom }: EnvVar,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const errors: FieldError[] = [];
  if (fieldRef !== undefined) {
    const fields = environmentFieldsAt(options.level);
    append(errors, validateObjectFieldSelector(fieldRef, fields, path.child("fieldRef"), options));
  }
  if (resourceFieldRef !== undefined) {
    append(errors, [
      ...validateResourceFieldSelector(
        resourceFieldRef,
        path.child("resourceFieldRef"),
        options,
        "environment",
      ),
    ]);
  }
  if (configMapKeyRef !== undefined) {
    append(errors, validateKeySelector(configMapKeyRef, path.child("configMapKeyRef")));
  }
  if (secretKeyRef !== undefined) {
    append(errors, validateKeySelector(secretKeyRef, path.child("secretKeyRef")));
  }
  if (fileKeyRef !== undefined) {
    append(errors, fileKeyRules.check(fileKeyRef, path.child("fileKeyRef"), "key", "volumeName", "path"));
  }
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  );
  if (sources.length === 0) {
    const last = options.allowEnvFiles ? "`secretKeyRef` or `fileKeyRef`" : "or `secretKeyRef`";
    const names = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`";
    const separator = options.allowEnvFiles ? ", " : " ";
    errors.push(invalid(path, "", `must specify one of: ${names}${separator}${last}`));
  } else if (value !== "") {
    errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (sources.length > 1) {
    errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

/** Selectors of config maps and of secrets have the same fields. */
function validateKeySelector(selector: ConfigMapKeySelector, path: FieldPath): FieldError[] {
  return [
    ...validateObjectName(selector.name ?? "", path.child("name")),
    ...keyRules.check(selector, path, "key"),
  ];
}

/** Environment files are in volumes that start empty. */
export function validateFileKeyVolumes(spec: PodSpec, path: FieldPath): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return errorsOfEach([...placedContainers(spec, path)], ({ container, path: at }) =>
    errorsOfEach(container.env, ({ valueFrom }, index) => {
      if (valueFrom?.fileKeyRef === undefined) return [];
      const { volumeName } = valueFrom.fileKeyRef;
      const nameAt = at.child("env").index(index).child("valueFrom", "fileKeyRef", "volumeName");
      const volume = volumes.get(volumeName);
      if (volume === undefined) return [notFoundField(nameAt, volumeName)];
      if (volume.emptyDir !== undefined) return [];
      return [invalid(nameAt, volumeName, "referenced volume must be of type emptyDir")];
    }),
  );
}

export function validateEnvFrom(
  sources: readonly EnvFromSource[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return errorsOfEach(sources, ({ prefix = "", configMapRef, secretRef }, index) => {
    const at = path.index(index);
    const errors = prefix === "" ? [] : problemsAt(at.child("prefix"), prefix, nameProblems(prefix, options));
    if (configMapRef !== undefined) append(errors, validateReference(configMapRef, at.child("configMapRef")));
    if (secretRef !== undefined) append(errors, validateReference(secretRef, at.child("secretRef")));
    // Kubernetes reports these two with the path of the list.
    if (configMapRef === undefined && secretRef === undefined) {
      errors.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      errors.push(invalid(path, "", "may not have more than one field specified at a time"));
    }
    return errors;
  });
}

function validateReference({ name = "" }: { name?: string | undefined }, path: FieldPath): FieldError[] {
  const namePath = path.child("name");
  return name === "" ? [required(namePath, "")] : validateObjectName(name, namePath, true);
}
