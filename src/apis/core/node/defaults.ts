import type { Node } from "../../gen/core-v1.js";
import { roundResourceList } from "../pod-spec/resource-list.js";

export function setNodeDefaults({ spec, status }: Node): void {
  if (status.allocatable === undefined && status.capacity !== undefined) {
    status.allocatable = { ...status.capacity };
  }
  roundResourceList(status.capacity);
  roundResourceList(status.allocatable);
  // `podCIDR` is the first of `podCIDRs`; it wins, because older clients know only this field.
  const { podCIDR = "" } = spec;
  if (podCIDR !== "" && spec.podCIDRs?.[0] !== podCIDR) spec.podCIDRs = [podCIDR];
  spec.podCIDR = spec.podCIDRs?.[0];
}
