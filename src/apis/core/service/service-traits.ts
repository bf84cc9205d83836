import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Service } from "../../gen/core-v1.js";

/** The value of clusterIP that requests no address. */
export const noClusterIp = "None";

export function needsClusterIp({ spec }: Service): boolean {
  return spec.type !== "ExternalName";
}

/** Services of unknown types, which validation refuses, get no address. */
export function hasClusterIpType(service: Service): boolean {
  return service.spec.type === "ClusterIP" || needsNodePort(service);
}

export function needsNodePort({ spec }: Service): boolean {
  return spec.type === "NodePort" || spec.type === "LoadBalancer";
}

/** A load balancer that routes directly to pods needs none. */
export function wantsNodePorts({ spec }: Service): boolean {
  return spec.type !== "LoadBalancer" || spec.allocateLoadBalancerNodePorts !== false;
}

/** Whether the service receives external traffic, so that it has an external traffic policy. */
export function isExternallyAccessible(object: Service, level: ApiLevel): boolean {
  const { type, externalIPs } = object.spec;
  if (needsNodePort(object)) return true;
  return isAtLeast(level, "1.29") && type === "ClusterIP" && (externalIPs ?? []).length > 0;
}

/** Whether the service has an internal traffic policy. At 1.23, services without addresses have one too. */
export function hasInternalTrafficPolicy(context: ApiContext, service: Service): boolean {
  if (!context.isEnabled("ServiceInternalTrafficPolicy")) return false;
  return hasClusterIpType(service) || !isAtLeast(context.level, "1.24");
}

/** Load balancers ask this port which nodes have local endpoints. */
export function needsHealthCheckNodePort({ spec }: Service): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

/** Valid only after clusterIP and clusterIPs are in sync. */
export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === noClusterIp;
}

/** The service's cluster IPs; empty if it needs none. */
export function clusterIpsOf(service: Service): readonly string[] {
  return needsClusterIp(service) && !isHeadless(service) ? (service.spec.clusterIPs ?? []) : [];
}

export function isSameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  const [left, right] = [a ?? [], b ?? []];
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

/** Without duplicates and zeros. */
export function nodePortsOf({ spec }: Service): Set<number> {
  return new Set((spec.ports ?? []).map(({ nodePort }) => nodePort ?? 0).filter((port) => port !== 0));
}

/** Decides by clusterIP alone, for services whose lists are not normalized yet. */
export function isHeadlessWithoutSelector({ spec }: Service): boolean {
  return spec.clusterIP === noClusterIp && Object.keys(spec.selector ?? {}).length === 0;
}

export function otherFamily(family: string | undefined): "IPv4" | "IPv6" {
  return family === "IPv4" ? "IPv6" : "IPv4";
}
