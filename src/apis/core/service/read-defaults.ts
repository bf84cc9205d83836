import { type IpFamily, ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../gen/core-v1.js";
import { normalizeClusterIps } from "./normalize.js";
import { isHeadlessWithoutSelector, needsClusterIp, noClusterIp, otherFamily } from "./service-traits.js";

/** Sets the defaults of services stored before dual-stack fields existed. */
export function setServiceReadDefaults(object: Service, primary: IpFamily): void {
  const { spec } = object;
  normalizeClusterIps(object, undefined);
  // Families and policy are only ever set together.
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
