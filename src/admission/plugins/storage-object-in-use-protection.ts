import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { PluginContext } from "./plugin-context.js";

/** Adds a finalizer to volumes and claims, which a controller removes when they are no longer in use. */
export function storageObjectInUseProtection({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  const finalizers = new Map([
    ["persistentvolumes", `${naming.domain}/pv-protection`],
    ["persistentvolumeclaims", `${naming.domain}/pvc-protection`],
  ]);
  return {
    operations: ["CREATE"],
    mutate({ resource, subresource, object }) {
      const finalizer = resource.group === "" ? finalizers.get(resource.resource) : undefined;
      if (finalizer === undefined || subresource !== "" || object === undefined) return;
      const present = object.metadata.finalizers ?? [];
      if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer];
    },
  };
}
