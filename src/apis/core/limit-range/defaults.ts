import type { LimitRange, LimitRangeItem } from "../../gen/core-v1.js";
import { type ResourceList, roundResourceList } from "../pod-spec/resource-list.js";

export function setLimitRangeDefaults(object: LimitRange): void {
  for (const item of object.spec.limits ?? []) {
    // Quantities are rounded before they are copied, so each only once.
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
      roundResourceList(list);
    }
    if (item.type === "Container") setContainerDefaults(item);
  }
}

/** By default the limit of a container is the maximum; its request is its limit, or else the minimum. */
function setContainerDefaults(item: LimitRangeItem): void {
  item.default = withMissing(item.default, item.max);
  item.defaultRequest = withMissing(withMissing(item.defaultRequest, item.default), item.min);
}

function withMissing(
  list: ResourceList | undefined,
  fallback: ResourceList | undefined,
): ResourceList | undefined {
  return fallback === undefined ? list : { ...fallback, ...list };
}
