import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { Service } from "../../gen/core-v1.js";
import {
  isSameList,
  needsClusterIp,
  needsHealthCheckNodePort,
  needsNodePort,
  nodePortsOf,
  wantsNodePorts,
} from "./service-traits.js";

/** Makes clusterIPs follow clusterIP, for clients that know only the latter. If a client changed both, validation compares them. */
export function normalizeClusterIps({ spec }: Service, old: Service | undefined): void {
  const address = spec.clusterIP ?? "";
  if (old === undefined) {
    if (address !== "" && isSameList(spec.clusterIPs, [])) spec.clusterIPs = [address];
    return;
  }
  const oldAddress = old.spec.clusterIP ?? "";
  if (address === oldAddress) {
    if (isSameList(spec.clusterIPs, [])) spec.clusterIPs = copyList(old.spec.clusterIPs);
    return;
  }
  if (!isSameList(spec.clusterIPs, old.spec.clusterIPs)) return;
  const isCleared = oldAddress !== "" && address === "";
  spec.clusterIPs = isCleared ? undefined : [address];
}

/** A client may send its original manifest again: fields that it omits keep their allocated values. */
export function patchAllocatedValues(object: Service, old: Service, level: ApiLevel): void {
  const { spec } = object;
  if (needsClusterIp(old) && needsClusterIp(object)) {
    if ((spec.clusterIP ?? "") === "") spec.clusterIP = old.spec.clusterIP;
    if (isSameList(spec.clusterIPs, [])) spec.clusterIPs = copyList(old.spec.clusterIPs);
  }
  if (keepsNodePorts(old, level) && keepsNodePorts(object, level)) patchNodePorts(object, old);
  if (needsHealthCheckNodePort(old) && needsHealthCheckNodePort(object)) {
    if ((spec.healthCheckNodePort ?? 0) === 0) spec.healthCheckNodePort = old.spec.healthCheckNodePort;
  }
}

/** Before 1.30, a load balancer kept its node ports when it no longer wanted any. */
function keepsNodePorts(service: Service, level: ApiLevel): boolean {
  return needsNodePort(service) && (wantsNodePorts(service) || !isAtLeast(level, "1.30"));
}

/** Ports are matched by name. A node port that another port has taken over is not assigned again. */
function patchNodePorts(object: Service, old: Service): void {
  const used = nodePortsOf(object);
  const oldPorts = new Map((old.spec.ports ?? []).map((port) => [port.name ?? "", port.nodePort ?? 0]));
  for (const port of object.spec.ports ?? []) {
    const oldPort = oldPorts.get(port.name ?? "") ?? 0;
    if ((port.nodePort ?? 0) === 0 && oldPort !== 0 && !used.has(oldPort)) port.nodePort = oldPort;
  }
}

function copyList(list: readonly string[] | undefined): string[] | undefined {
  return list === undefined ? undefined : [...list];
}
