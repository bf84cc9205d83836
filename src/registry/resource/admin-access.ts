import {
  type FieldError,
  FieldPath,
  forbidden,
  internalError,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type {
  DeviceRequest,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceClaimTemplate,
} from "../../apis/gen/resource-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { RegistryHooks } from "../generic/write-stages.js";

export interface AdminAccessParts {
  readonly naming: Naming;
  readonly level: ApiLevel;
  isEnabled(): boolean;
  /** Undefined when there is no such namespace, or it has no labels. */
  labelsOf(namespace: string): Promise<{ readonly [name: string]: string } | undefined>;
}

/** Admin access to devices requires a label on the namespace. The spec is immutable, so only creates are checked. */
export function claimHooks(parts: AdminAccessParts): RegistryHooks<ResourceClaim> {
  return {
    async problems({ namespace }, { spec, status }, old, isPart) {
      if (old === undefined) return labelProblems(parts, namespace, pathOfRequest(spec.devices.requests));
      if (!isPart || pathOfResult(old.status.allocation?.devices.results) !== undefined) return [];
      return labelProblems(parts, namespace, pathOfResult(status.allocation?.devices.results));
    },
  };
}

export function templateHooks(parts: AdminAccessParts): RegistryHooks<ResourceClaimTemplate> {
  return {
    async problems({ namespace }, { spec }, old) {
      return old === undefined
        ? labelProblems(parts, namespace, pathOfRequest(spec.spec.devices.requests))
        : [];
    },
  };
}

/** `path`: the field that requests admin access; undefined if none does. */
async function labelProblems(
  { naming, level, isEnabled, labelsOf }: AdminAccessParts,
  namespace: string,
  path: FieldPath | undefined,
): Promise<readonly FieldError[]> {
  if (path === undefined || !isEnabled()) return [];
  const prefix = isAtLeast(level, "1.34") ? `resource.${naming.domain}` : naming.group("resource");
  const label = `${prefix}/admin-access`;
  try {
    const labels = await labelsOf(namespace);
    if (labels?.[label] === "true") return [];
  } catch {
    return [internalError(path, "could not retrieve namespace to verify admin access")];
  }
  const why = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
  return [forbidden(path, why)];
}

function pathOfRequest(requests: readonly DeviceRequest[] = []): FieldPath | undefined {
  const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
  // Kubernetes uses this path for templates as well.
  return index < 0
    ? undefined
    : FieldPath.of("spec", "devices", "requests").index(index).child("adminAccess");
}

function pathOfResult(results: readonly DeviceRequestAllocationResult[] = []): FieldPath | undefined {
  const index = results.findIndex(({ adminAccess }) => adminAccess === true);
  return index < 0
    ? undefined
    : FieldPath.of("status", "allocation", "devices", "results").index(index).child("adminAccess");
}
