import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ObjectFieldSelector, ResourceFieldSelector } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const fieldSelectorRules = fieldRules<ObjectFieldSelector>(coreV1Types, "ObjectFieldSelector");

const environmentFields: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const firstEnvironmentFields = environmentFields.filter((field) => field !== "status.hostIPs");

/** Fields that a pod may expose to its containers, in alphabetical order. */
export function environmentFieldsAt(level: ApiLevel): readonly string[] {
  return isAtLeast(level, "1.28") ? environmentFields : firstEnvironmentFields;
}

export const volumeFields: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

const knownFields: ReadonlySet<string> = new Set([
  ...volumeFields,
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

const resourceFields: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

export const hostIpsField = "status.hostIPs";

const byteDivisors = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** `allowed` in alphabetical order. */
export function validateObjectFieldSelector(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  path: FieldPath,
  { level, allowHostIps }: PodValidationOptions,
): FieldError[] {
  const errors = fieldErrors(selector, allowed, path, level);
  if (selector.fieldPath !== hostIpsField || allowHostIps) return errors;
  return [...errors, forbidden(path, "may not be set when feature gate 'PodHostIPs' is not enabled")];
}

function fieldErrors(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const { apiVersion = "", fieldPath } = selector;
  if (apiVersion === "") return fieldSelectorRules.check(selector, path, "apiVersion");
  if (fieldPath === "") return fieldSelectorRules.check(selector, path, "fieldPath");
  const field = resolveField(apiVersion, fieldPath, level);
  if ("problem" in field) {
    return [invalid(path.child("fieldPath"), fieldPath, `error converting fieldPath: ${field.problem}`)];
  }
  const { name, subscript } = field;
  if (subscript === undefined) {
    return allowed.includes(name) ? [] : [notSupported(path.child("fieldPath"), name, allowed)];
  }
  if (name === "metadata.annotations") {
    return problemsAt(path, subscript, isQualifiedName(subscript.toLowerCase()));
  }
  if (name === "metadata.labels") return problemsAt(path, subscript, isQualifiedName(subscript));
  return [invalid(path, name, "does not support subscript")];
}

type ResolvedField =
  | { readonly name: string; readonly subscript: string | undefined }
  | { readonly problem: string };

function resolveField(apiVersion: string, fieldPath: string, level: ApiLevel): ResolvedField {
  if (apiVersion !== "v1") return { problem: `unsupported pod version: ${apiVersion}` };
  const bracket = fieldPath.indexOf("['", 1);
  if (bracket >= 0 && fieldPath.endsWith("']") && fieldPath.length >= bracket + 4) {
    const name = fieldPath.slice(0, bracket);
    const subscript = fieldPath.slice(bracket + 2, -2);
    if (name === "metadata.annotations" || name === "metadata.labels") return { name, subscript };
    return { problem: `field label does not support subscript: ${fieldPath}` };
  }
  if (fieldPath === "spec.host") return { name: "spec.nodeName", subscript: undefined };
  const isKnown = knownFields.has(fieldPath) && (fieldPath !== hostIpsField || isAtLeast(level, "1.28"));
  if (!isKnown) return { problem: `field label not supported: ${fieldPath}` };
  return { name: fieldPath, subscript: undefined };
}

/** In a volume, the reference must name the container; in a container's environment it need not. */
export function validateResourceFieldSelector(
  { containerName = "", resource, divisor }: ResourceFieldSelector,
  path: FieldPath,
  options: PodValidationOptions,
  where: "volume" | "environment",
): FieldError[] {
  const errors: FieldError[] = [];
  if (where === "volume" && containerName === "") errors.push(required(path.child("containerName"), ""));
  else if (resource === "") errors.push(required(path.child("resource"), ""));
  else if (!isResourceField(resource, options)) {
    errors.push(notSupported(path.child("resource"), resource, resourceFields));
  }
  return [...errors, ...validateDivisor(resource, divisor, path.child("divisor"))];
}

function isResourceField(resource: string, options: PodValidationOptions): boolean {
  return (
    resourceFields.includes(resource) || (options.allowDownwardApiHugePages && isHugePagesField(resource))
  );
}

export function isHugePagesField(resource: string): boolean {
  return resource.startsWith("requests.hugepages-") || resource.startsWith("limits.hugepages-");
}

function validateDivisor(resource: string, divisor: string, path: FieldPath): FieldError[] {
  if (divisor === "" || Quantity.parse(divisor).isZero()) return [];
  const rule = divisorRule(resource);
  if (rule === undefined || rule.values.split(", ").includes(divisor)) return [];
  return [
    invalid(
      path,
      resource,
      `only divisor's values ${rule.shown} are supported with the ${rule.resource} resource`,
    ),
  ];
}

function divisorRule(resource: string): { resource: string; values: string; shown: string } | undefined {
  const bytes = { values: byteDivisors, shown: byteDivisors };
  switch (resource.replace(/^(limits|requests)\./, "")) {
    case "cpu":
      return { resource: "cpu", values: "1m, 1", shown: "1m and 1" };
    case "memory":
      return { resource: "memory", ...bytes };
    case "ephemeral-storage":
      return { resource: "local ephemeral storage", ...bytes };
    default:
      return isHugePagesField(resource) ? { resource: "hugepages", ...bytes } : undefined;
  }
}
