import type { ApiContext } from "../../definition/api-context.js";
import type { CSIDriver } from "../../gen/storage-v1.js";

export function setCsiDriverDefaults({ spec }: CSIDriver, context: ApiContext): void {
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  if (context.isEnabled("CSIStorageCapacity")) spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
  if (context.isEnabled("CSIInlineVolume") && (spec.volumeLifecycleModes ?? []).length === 0) {
    spec.volumeLifecycleModes = ["Persistent"];
  }
  spec.requiresRepublish ??= false;
  if (context.isEnabled("SELinuxMountReadWriteOncePod")) spec.seLinuxMount ??= false;
  if (context.isEnabled("VolumeLimitScaling")) spec.preventPodSchedulingIfMissing ??= false;
}
