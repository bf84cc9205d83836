import type { DeviceObjects } from "../core/resource-quota/device-objects.js";

/** A cluster without device classes and claims. */
export const noDevices = (): DeviceObjects => ({
  extendedResourceOf: () => undefined,
  pod: async () => undefined,
  claimsOf: () => [],
});
