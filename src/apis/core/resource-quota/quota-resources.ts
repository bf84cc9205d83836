import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printResourceName, validateResourceName } from "../../checks/resource-name-validation.js";
import { isQuotaHugePageResource } from "../../checks/resource-names.js";

const computeResources = ["cpu", "memory"];
const containerResources = [...computeResources, "ephemeral-storage"];

/** Native resources; others have a domain. */
const quotaResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...[...containerResources, "storage"].map((name) => `requests.${name}`),
  ...containerResources.map((name) => `limits.${name}`),
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
]);

/** What quotas with scopes may count besides pods. */
export const podComputeQuotaResources: ReadonlySet<string> = new Set(
  ["", "limits.", "requests."].flatMap((prefix) => computeResources.map((name) => prefix + name)),
);

export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePageResource(name);
}

export function validateQuotaResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/") && !isStandardQuotaResource(name)) {
    errors.push(invalid(path, printResourceName(name), "must be a standard resource for quota"));
  }
  return errors;
}
