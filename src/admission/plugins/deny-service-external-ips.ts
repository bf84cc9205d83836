import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

/** Lets services keep their external addresses but not add new ones. */
export function denyServiceExternalIps({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  const writesService = writesOf("services", naming);
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      if (!writesService(attributes)) return;
      const known = new Set(attributes.oldObject?.spec.externalIPs);
      const wanted = attributes.object?.spec.externalIPs ?? [];
      if (wanted.every((address) => known.has(address))) return;
      throw refused(attributes, "Use of external IPs is denied by admission control");
    },
  };
}
