import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { type IpFamily, ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../gen/core-v1.js";
import { normalizeClusterIps } from "./normalize.js";
import { isHeadlessWithoutSelector, needsClusterIp, noClusterIp, otherFamily } from "./service-traits.js";

/** Sets the defaults of services stored before dual-stack fields existed, and removes what older servers set needlessly. */
export function setServiceReadDefaults(object: Service, primary: IpFamily, level: ApiLevel): void {
  const { spec } = object;
  normalizeClusterIps(object, undefined);
  dropUselessPolicy(object, level);
  // IP families and policy are always set together.
  if (!needsClusterIp(object) || (spec.ipFamilies ?? []).length > 0) return;
  if (spec.clusterIP === noClusterIp) {
    const isDual = isHeadlessWithoutSelector(object);
    spec.ipFamilies = isDual ? [primary, otherFamily(primary)] : [primary];
    spec.ipFamilyPolicy = isDual ? "RequireDualStack" : "SingleStack";
    return;
  }
  const families = (spec.clusterIPs ?? []).map((address) => ipFamilyOf(address) ?? "IPv4");
  if (families.length === 0) return;
  spec.ipFamilies = families;
  spec.ipFamilyPolicy = families.length === 1 ? "SingleStack" : "RequireDualStack";
}

/** Since 1.24, clients never see an internal traffic policy on services without addresses. */
export function dropUselessPolicy(object: Service, level: ApiLevel): void {
  if (isAtLeast(level, "1.24") && !needsClusterIp(object)) object.spec.internalTrafficPolicy = undefined;
}
