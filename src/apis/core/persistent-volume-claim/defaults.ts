import type { PersistentVolumeClaim } from "../../gen/core-v1.js";
import { roundResourceList } from "../pod-spec/resource-list.js";

export function setPersistentVolumeClaimDefaults({ spec, status }: PersistentVolumeClaim): void {
  status.phase ||= "Pending";
  spec.volumeMode ??= "Filesystem";
  const { limits, requests } = spec.resources;
  for (const list of [limits, requests, status.capacity, status.allocatedResources]) roundResourceList(list);
}
