import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { DeviceRequest, ResourceClaim } from "../../gen/resource-v1.js";
import { one } from "./amounts.js";
import { countName, nothingUnstated, type QuotaEvaluator, unscoped } from "./evaluator.js";

/** The most devices that fit a claim's status: a claim for all matching devices gets no more. */
const devicesMax = 32;

/** Counts resource claims, and the devices that they may take of each class. `group` is the full name. */
export function deviceClaimEvaluator(group: string): QuotaEvaluator<ResourceClaim> {
  const objects = countName(group, "resourceclaims");
  const devicesSuffix = `.deviceclass.${group}/devices`;
  return {
    measuresUpdate: ({ subresource }) => subresource === "",
    counts: (name) => name === objects || name.endsWith(devicesSuffix),
    measure({ spec }) {
      const usage = new Map<string, Quantity>([[objects, one]]);
      for (const request of spec.devices?.requests ?? []) {
        for (const [className, count] of devicesOf(request)) {
          const name = className + devicesSuffix;
          const devices = Quantity.fromInt(count);
          usage.set(name, usage.get(name)?.add(devices) ?? devices);
        }
      }
      return unscoped(usage);
    },
    unstated: () => nothingUnstated,
  };
}

/** The most that a request may take of each class; of alternatives, one is chosen. */
function devicesOf({ exactly, firstAvailable = [] }: DeviceRequest): ReadonlyMap<string, number> {
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
