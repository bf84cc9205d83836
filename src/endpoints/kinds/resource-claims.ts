import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { claimHooks, templateHooks } from "../../registry/resource/admin-access.js";
import type { KindBehaviour, KindParts } from "./kind-behaviour.js";

/** Claims have access to devices that are in use, where the namespace allows it. */
export const resourceClaims: KindBehaviour = {
  group: "resource",
  resource: "resourceclaims",
  hooks: (parts) => (isChecked(parts) ? claimHooks(adminAccess(parts)) : undefined),
};

export const claimTemplates: KindBehaviour = {
  group: "resource",
  resource: "resourceclaimtemplates",
  hooks: (parts) => (isChecked(parts) ? templateHooks(adminAccess(parts)) : undefined),
};

/** Older servers asked for no label. */
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
