import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { isConfigMapKey } from "../../../apimachinery/validation/identifiers.js";
import type { Naming } from "../../../naming/naming.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ConfigMapNodeConfigSource, NodeConfigSource, NodeConfigStatus } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<ConfigMapNodeConfigSource>(coreV1Types, "ConfigMapNodeConfigSource");

/** Where a node should take its configuration from. */
export function validateConfigSource(
  naming: Naming,
  source: NodeConfigSource | undefined,
  path: FieldPath,
): FieldError[] {
  return sourceErrors(source, path, (configMap, mapPath) => {
    const errors: FieldError[] = [];
    for (const field of ["uid", "resourceVersion"] as const) {
      if ((configMap[field] ?? "") === "") continue;
      errors.push(forbidden(mapPath.child(field), `${field} must not be set in spec`));
    }
    return [...errors, ...referenceErrors(naming, configMap, mapPath)];
  });
}

/** Where a node took its configuration from: one version of a config map. */
export function validateConfigStatus(
  naming: Naming,
  status: NodeConfigStatus | undefined,
  path: FieldPath,
): FieldError[] {
  return (["assigned", "active", "lastKnownGood"] as const).flatMap((name) =>
    sourceErrors(status?.[name], path.child(name), (configMap, mapPath) => {
      const errors: FieldError[] = [];
      for (const field of ["uid", "resourceVersion"] as const) {
        if ((configMap[field] ?? "") !== "") continue;
        errors.push(required(mapPath.child(field), `${field} must be set in status`));
      }
      return [...errors, ...referenceErrors(naming, configMap, mapPath)];
    }),
  );
}

function sourceErrors(
  source: NodeConfigSource | undefined,
  path: FieldPath,
  check: (configMap: ConfigMapNodeConfigSource, path: FieldPath) => FieldError[],
): FieldError[] {
  if (source === undefined) return [];
  if (source.configMap === undefined) {
    const printed = printStruct("core.NodeConfigSource", {
      ConfigMap: printPointer("core.ConfigMapNodeConfigSource", undefined),
    });
    return [invalid(path, printed, "exactly one reference subfield must be non-nil")];
  }
  return check(source.configMap, path.child("configMap"));
}

function referenceErrors(naming: Naming, source: ConfigMapNodeConfigSource, path: FieldPath): FieldError[] {
  const keyField = naming.field("nodeagentConfigKey");
  const keyPath = path.child(keyField);
  const key = source[keyField] ?? "";
  return [
    ...rules.check(source, path, "namespace", "name"),
    ...(key === ""
      ? [required(keyPath, `${keyField} must be set`)]
      : problemsAt(keyPath, key, isConfigMapKey(key))),
  ];
}
