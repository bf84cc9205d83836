import type { Device } from "../../gen/resource-v1.js";
import { setTaintDefaults } from "../taints.js";

/** The fields with defaults of a device, which the versions have in different places. */
type DefaultedDevice = Pick<Device, "taints" | "nodeAllocatableResourceMappings">;

export function setDeviceDefaults(device: DefaultedDevice | undefined, now: Date): void {
  setTaintDefaults(device?.taints, now);
  for (const mapping of Object.values(device?.nodeAllocatableResourceMappings ?? {})) {
    mapping.allocationMultiplier ??= "1";
  }
}
