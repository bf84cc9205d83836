import { roundResourceList } from "../../core/pod-spec/resource-list.js";
import { setVolumeDefaults } from "../../core/pod-spec/volume-defaults.js";
import type { VolumeAttachment } from "../../gen/storage-v1.js";

export function setVolumeAttachmentDefaults({ spec }: VolumeAttachment): void {
  const inline = spec.source.inlineVolumeSpec;
  if (inline === undefined) return;
  roundResourceList(inline.capacity);
  const { hostPath, rbd, iscsi, azureDisk, scaleIO } = inline;
  // These volume sources have the same defaults in a pod.
  setVolumeDefaults({ name: "", hostPath, rbd, iscsi, azureDisk, scaleIO });
}
