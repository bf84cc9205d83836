import type { Pod } from "../../apis/gen/core-v1.js";

/** A port of its node that a pod uses. */
export interface HostPort {
  /** `TCP/8080` */
  readonly port: string;
  readonly ip: string;
}

const anyIp = "0.0.0.0";

export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of spec.containers ?? []) {
    for (const { hostPort = 0, protocol = "TCP", hostIP = "" } of container.ports ?? []) {
      if (hostPort > 0) ports.push({ port: `${protocol}/${hostPort}`, ip: hostIP === "" ? anyIp : hostIP });
    }
  }
  return ports;
}

/** The ports of a node that are in use. Pods share one if each uses another address of the node. */
export class HostPorts {
  /** How many pods use each address, by port. */
  readonly #used = new Map<string, Map<string, number>>();

  add(ports: readonly HostPort[]): void {
    for (const { port, ip } of ports) {
      const ips = this.#used.get(port) ?? new Map<string, number>();
      this.#used.set(port, ips.set(ip, (ips.get(ip) ?? 0) + 1));
    }
  }

  remove(ports: readonly HostPort[]): void {
    for (const { port, ip } of ports) {
      const ips = this.#used.get(port);
      const left = (ips?.get(ip) ?? 0) - 1;
      if (left > 0) ips?.set(ip, left);
      else ips?.delete(ip);
      if (ips?.size === 0) this.#used.delete(port);
    }
  }

  hasAny(ports: readonly HostPort[]): boolean {
    return ports.some(({ port, ip }) => {
      const ips = this.#used.get(port);
      return ips !== undefined && (ip === anyIp || ips.has(anyIp) || ips.has(ip));
    });
  }
}
