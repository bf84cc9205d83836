import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import { clusterIpsOf } from "../../../apis/core/service/service-traits.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import type { IpRange } from "./ip-range.js";
import type { PortRange } from "./node-port-allocator.js";
import type { RepairWords, UsedItem } from "./repair.js";

/** The addresses of one family that services have. */
export function usedAddresses(services: readonly Service[], range: IpRange): UsedItem[] {
  return services.flatMap((service) =>
    clusterIpsOf(service)
      .filter((address) => ipFamilyOf(address) === range.family)
      .map((address) => ({ service, item: range.offsetOf(address), text: address })),
  );
}

export function usedNodePorts(services: readonly Service[], { min, max }: PortRange): UsedItem[] {
  return services.flatMap((service) =>
    portsOf(service).map((port) => ({
      service,
      item: port >= min && port <= max ? port - min : undefined,
      text: String(port),
    })),
  );
}

export function addressWords({ family, text: network }: IpRange): RepairWords {
  return {
    of: "clusterIp",
    notAllocated: {
      reason: "ClusterIPNotAllocated",
      message: (text) => `Cluster IP [${family}]:${text} is not allocated; repairing`,
    },
    alreadyAllocated: {
      reason: "ClusterIPAlreadyAllocated",
      message: (text) =>
        `Cluster IP [${family}]:${text} was assigned to multiple services; please recreate service`,
    },
    outOfRange: {
      reason: "ClusterIPOutOfRange",
      message: (text) =>
        `Cluster IP [${family}]:${text} is not within the service CIDR ${network}; please recreate service`,
    },
  };
}

export function nodePortWords(rangeText: string): RepairWords {
  return {
    of: "nodePort",
    notAllocated: {
      reason: "PortNotAllocated",
      message: (text) => `Port ${text} is not allocated; repairing`,
    },
    alreadyAllocated: {
      reason: "PortAlreadyAllocated",
      message: (text) => `Port ${text} was assigned to multiple services; please recreate service`,
    },
    outOfRange: {
      reason: "PortOutOfRange",
      message: (text) => `Port ${text} is not within the port range ${rangeText}; please recreate service`,
    },
  };
}

/** A port that is served over several protocols counts once; over the same one twice, it counts twice. */
function portsOf({ spec }: Service): number[] {
  const ports: number[] = [];
  const seen = new Map<number, Set<string>>();
  for (const { nodePort = 0, protocol = "" } of spec.ports ?? []) {
    if (nodePort === 0) continue;
    const protocols = seen.get(nodePort);
    if (protocols === undefined || protocols.has(protocol)) ports.push(nodePort);
    seen.set(nodePort, new Set([...(protocols ?? []), protocol]));
  }
  const healthPort = spec.healthCheckNodePort ?? 0;
  if (healthPort !== 0 && seen.get(healthPort)?.has("TCP") !== false) ports.push(healthPort);
  return ports;
}
