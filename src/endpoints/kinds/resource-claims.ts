import { append } from "../../apimachinery/collections/append.js";
import type { FieldError } from "../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ResourceClaim } from "../../apis/gen/resource-v1.js";
import type { RegistryHooks } from "../../registry/generic/write-stages.js";
import { claimHooks, templateHooks } from "../../registry/resource/admin-access.js";
import { claimStatusHooks } from "../../registry/resource/status-authorization.js";
import type { KindBehaviour, KindParts } from "./kind-behaviour.js";

/** Claims may ask for admin access to devices only in namespaces that allow it. */
export const resourceClaims: KindBehaviour = {
  group: "resource",
  resource: "resourceclaims",
  hooks(parts) {
    if (!isChecked(parts)) return undefined;
    const access = claimHooks(adminAccess(parts));
    const { authorizer, naming, isEnabled } = parts;
    if (!isEnabled("DRAResourceClaimGranularStatusAuthorization")) return access;
    const status = claimStatusHooks({
      authorizer,
      group: naming.group("resource"),
      domain: naming.domain,
      reportsDevices: isEnabled("DRAResourceClaimDeviceStatus"),
    });
    return bothProblems(access, status);
  },
};

export const claimTemplates: KindBehaviour = {
  group: "resource",
  resource: "resourceclaimtemplates",
  hooks: (parts) => (isChecked(parts) ? templateHooks(adminAccess(parts)) : undefined),
};

function bothProblems(...hooks: readonly RegistryHooks<ResourceClaim>[]): RegistryHooks<ResourceClaim> {
  return {
    async problems(...write) {
      const found: FieldError[] = [];
      for (const hook of hooks) append(found, (await hook.problems?.(...write)) ?? []);
      return found;
    },
  };
}

/** Older servers did not require the label. */
function isChecked({ level }: KindParts): boolean {
  return isAtLeast(level, "1.33");
}

function adminAccess({ naming, level, isEnabled, builtin }: KindParts) {
  return {
    naming,
    level,
    isEnabled: () => isEnabled("DRAAdminAccess"),
    async labelsOf(namespace: string) {
      const found = await builtin("namespaces").find("", namespace, { kind: "any" });
      return found?.decode().metadata.labels;
    },
  };
}
