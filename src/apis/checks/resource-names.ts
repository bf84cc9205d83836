import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import type { Naming } from "../../naming/naming.js";

/** Classifies resource names (Kubernetes' `pkg/apis/core/helper`). */
const hugePagesPrefix = "hugepages-";
const requestsPrefix = "requests.";

const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

const standardResources: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);

const integerResources: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

export function isHugePageResource(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

export function isQuotaHugePageResource(name: string): boolean {
  return name.startsWith(hugePagesPrefix) || name.startsWith(`${requestsPrefix}${hugePagesPrefix}`);
}

export function isStandardResource(name: string): boolean {
  return standardResources.has(name) || isQuotaHugePageResource(name);
}

export function isStandardContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePageResource(name);
}

/** Native resources: without a domain, or in the vendor's. */
export function isNativeResource(name: string, naming: Naming): boolean {
  return !name.includes("/") || isPrefixedNativeResource(name, naming);
}

/** Extended resources, such as devices: counted in whole numbers. */
export function isExtendedResource(name: string, naming: Naming): boolean {
  if (isNativeResource(name, naming) || name.startsWith(requestsPrefix)) return false;
  return isQualifiedName(`${requestsPrefix}${name}`).length === 0;
}

/** Whether requests may be lower than limits. */
export function isOvercommitAllowed(name: string, naming: Naming): boolean {
  return isNativeResource(name, naming) && !isHugePageResource(name);
}

export function isIntegerResource(name: string, naming: Naming): boolean {
  return integerResources.has(name) || isExtendedResource(name, naming);
}

/** Whether a quantity of huge pages is a multiple of the page size. False for a name without a size. */
export function isWholeHugePages(name: string, amount: Quantity): boolean {
  const pageBytes = hugePageBytes(name);
  return pageBytes !== undefined && amount.value() % pageBytes === 0n;
}

function hugePageBytes(name: string): bigint | undefined {
  try {
    const bytes = Quantity.parse(name.slice(hugePagesPrefix.length)).asInt64();
    return bytes !== undefined && bytes > 0n ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function isPrefixedNativeResource(name: string, naming: Naming): boolean {
  return name.includes(`${naming.domain}/`);
}
