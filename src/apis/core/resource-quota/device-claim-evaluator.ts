import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { DeviceRequest, ResourceClaim } from "../../gen/resource-v1.js";
import { one } from "./amounts.js";
import { countName, nothingUnstated, type QuotaEvaluator, unscoped } from "./evaluator.js";
import type { ExtendedDevices } from "./extended-devices.js";

/** The most devices that fit a claim's status: a claim for all matching devices gets no more. */
const devicesMax = 32;

/**
 * Counts resource claims, and the devices that they may take of each class. `group` is the full name; `extended` is undefined where devices
 * are no extended resources.
 */
export function deviceClaimEvaluator(
  group: string,
  extended: ExtendedDevices | undefined,
): QuotaEvaluator<ResourceClaim> {
  const objects = countName(group, "resourceclaims");
  const devicesSuffix = `.deviceclass.${group}/devices`;
  return {
    measuresUpdate: ({ subresource }) => subresource === "",
    counts: (name) => name === objects || name.endsWith(devicesSuffix) || extended?.counts(name) === true,
    measure(claim) {
      const devices = devicesOf(claim);
      const usage = new Map<string, Quantity>([[objects, one]]);
      for (const [className, count] of devices) usage.set(className + devicesSuffix, Quantity.fromInt(count));
      if (extended === undefined) return unscoped(usage);
      return {
        // Measures are kept, and classes get other extended resources meanwhile.
        get usage() {
          return new Map([...usage, ...extended.usageOf(devices)]);
        },
        chargedElsewhere: extended.chargedToPod(claim),
        matchesScope: () => false,
      };
    },
    unstated: () => nothingUnstated,
  };
}

/** The most that a claim may take of each class. */
function devicesOf({ spec }: ResourceClaim): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  for (const request of spec.devices?.requests ?? []) {
    for (const [className, count] of requestedDevices(request)) {
      total.set(className, count + (total.get(className) ?? 0));
    }
  }
  return total;
}

/** The most that a request may take of each class; of alternatives, one is chosen. */
function requestedDevices({ exactly, firstAvailable = [] }: DeviceRequest): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  const asked = firstAvailable.length > 0 ? firstAvailable : exactly === undefined ? [] : [exactly];
  for (const { deviceClassName, allocationMode, count = 0 } of asked) {
    // Modes that are not known count for nothing.
    const devices =
      allocationMode === "ExactCount" ? Number(count) : allocationMode === "All" ? devicesMax : 0;
    most.set(deviceClassName, Math.max(devices, most.get(deviceClassName) ?? 0));
  }
  return most;
}
