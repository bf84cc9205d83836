import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { PluginContext } from "./plugin-context.js";

/** Adds a finalizer to volumes, their classes and claims, which a controller removes when they are no longer in use. */
export function storageObjectInUseProtection({
  naming,
  level,
  isEnabled,
}: Pick<PluginContext, "naming" | "level" | "isEnabled">): AdmissionPlugin {
  const storage = naming.group("storage");
  const finalizers = new Map([
    ["/persistentvolumes", `${naming.domain}/pv-protection`],
    ["/persistentvolumeclaims", `${naming.domain}/pvc-protection`],
  ]);
  if (isAtLeast(level, "1.33") && isEnabled("VolumeAttributesClass")) {
    finalizers.set(`${storage}/volumeattributesclasses`, `${naming.domain}/vac-protection`);
  }
  return {
    operations: ["CREATE"],
    mutate({ resource, subresource, object }) {
      const finalizer = finalizers.get(`${resource.group}/${resource.resource}`);
      if (finalizer === undefined || subresource !== "" || object === undefined) return;
      const present = object.metadata.finalizers ?? [];
      if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer];
    },
  };
}
