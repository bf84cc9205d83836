import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { ManagedFieldsTracking } from "../../endpoints/writes/managed-fields-tracking.js";
import type { Naming } from "../../naming/naming.js";

/** How a server of this level tracks managed fields. */
export function fieldTrackingAt(naming: Naming, level: ApiLevel): ManagedFieldsTracking {
  return new ManagedFieldsTracking({
    lastAppliedAnnotation: `kubectl.${naming.domain}/last-applied-configuration`,
    ignoresTimes: isAtLeast(level, "1.24"),
    datesValues: isAtLeast(level, "1.25"),
    changesBySight: isAtLeast(level, "1.29"),
    repeats: isAtLeast(level, "1.29") ? "whole" : "refused",
  });
}
