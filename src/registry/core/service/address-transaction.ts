import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { quoted } from "../../../apimachinery/errors/quoted-text.js";
import { internal } from "../../../apimachinery/errors/status.js";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import {
  hasClusterIpType,
  isHeadless,
  needsClusterIp,
  noClusterIp,
  nodePortsOf,
  wantsNodePorts,
} from "../../../apis/core/service/service-traits.js";
import type { Service, ServicePort } from "../../../apis/gen/core-v1.js";
import { isStorageError } from "../../../storage/storage-error.js";
import type { Settle } from "../../generic/write-stages.js";
import { AllocationError, type ClusterIpAllocator } from "./cluster-ip-allocator.js";
import { invalidService, keepsPreferredStack } from "./ip-families.js";
import type { NodePortOperation } from "./node-port-allocator.js";

export interface AddressTransactionParts {
  readonly clusterIps: readonly ClusterIpAllocator[];
  readonly ports: NodePortOperation;
  readonly dryRun: boolean;
  /** The minor version whose error messages are used. */
  readonly minor: number;
  readonly onLeak: (error: unknown) => void;
}

/** The items that one write takes and releases. */
export class AddressTransaction {
  readonly ports: NodePortOperation;
  readonly #parts: AddressTransactionParts;
  readonly #taken: string[] = [];
  readonly #given: string[] = [];

  constructor(parts: AddressTransactionParts) {
    this.ports = parts.ports;
    this.#parts = parts;
  }

  async run(steps: () => Promise<void>): Promise<Settle> {
    try {
      await steps();
    } catch (error) {
      await this.settle(false);
      throw error;
    }
    return (stored) => this.settle(stored);
  }

  /** Never rejects: the write has already succeeded or failed. */
  async settle(stored: boolean): Promise<void> {
    const { dryRun, onLeak } = this.#parts;
    const addresses = dryRun ? [] : stored ? this.#given : this.#taken;
    const releases = [...addresses.map((address) => this.#release(address)), this.ports.settle(stored)];
    for (const outcome of await Promise.allSettled(releases)) {
      if (outcome.status === "rejected") onLeak(outcome.reason);
    }
  }

  releaseWhenStored(addresses: readonly string[]): void {
    this.#given.push(...addresses);
  }

  /** Takes one address for each family of the service: the ones it names, and any for the rest. */
  async takeClusterIps(object: Service): Promise<void> {
    const { spec } = object;
    if (!hasClusterIpType(object) || spec.clusterIPs?.[0] === noClusterIp) return;
    const families = spec.ipFamilies ?? [];
    spec.clusterIPs = families.map((_family, index) => spec.clusterIPs?.[index] ?? "");
    for (const [index, family] of families.entries()) {
      spec.clusterIPs[index] = await this.#takeClusterIp(object, family, spec.clusterIPs[index] ?? "");
    }
    spec.clusterIP = spec.clusterIPs[0];
  }

  async changeClusterIps(object: Service, old: Service): Promise<void> {
    if (keepsPreferredStack(object, old)) return;
    const { spec } = object;
    if (!needsClusterIp(old)) {
      if (needsClusterIp(object)) await this.takeClusterIps(object);
      return;
    }
    if (old.spec.clusterIPs?.[0] === noClusterIp) return;
    // Validation refuses to give up an address without a replacement.
    if (needsClusterIp(object) && isHeadless(object)) return;
    const oldAddresses = old.spec.clusterIPs ?? [];
    if (!needsClusterIp(object)) {
      this.releaseWhenStored(oldAddresses);
      return;
    }
    const oldCount = old.spec.ipFamilies?.length ?? 0;
    const second = spec.ipFamilies?.[1];
    if (oldCount === 1 && second !== undefined) {
      spec.clusterIPs = [spec.clusterIPs?.[0] ?? "", spec.clusterIPs?.[1] ?? ""];
      spec.clusterIPs[1] = await this.#takeClusterIp(object, second, spec.clusterIPs[1] ?? "");
    } else if (oldCount === 2 && second === undefined) {
      this.releaseWhenStored(oldAddresses.slice(1));
    }
  }

  async takeNodePorts(object: Service): Promise<void> {
    const ports = object.spec.ports ?? [];
    /** Port to node port: a port served over several protocols has the same node port for all. */
    const nodePorts = new Map<number, number>();
    const named = firstNodePorts(ports);
    for (const [index, port] of ports.entries()) {
      const asked = port.nodePort ?? 0;
      if (asked === 0 && !wantsNodePorts(object)) continue;
      const shared = nodePorts.get(port.port);
      if (shared !== undefined) {
        if (asked === 0) port.nodePort = shared;
        else if (asked !== shared) await this.#takeNodePort(object, index, asked);
        continue;
      }
      const own = named.get(port.port);
      if (own !== undefined) await this.#takeNodePort(object, index, own);
      port.nodePort = own ?? (await this.#takeAnyNodePort());
      nodePorts.set(port.port, port.nodePort);
    }
  }

  async changeNodePorts(object: Service, old: Service): Promise<void> {
    const known = nodePortsOf(old);
    for (const [index, port] of (object.spec.ports ?? []).entries()) {
      const asked = port.nodePort ?? 0;
      if (asked !== 0) {
        if (!known.has(asked)) await this.#takeNodePort(object, index, asked);
        known.add(asked);
      } else if (wantsNodePorts(object)) port.nodePort = await this.#takeAnyNodePort();
    }
    const kept = nodePortsOf(object);
    this.ports.releaseWhenStored([...nodePortsOf(old)].filter((port) => !kept.has(port)));
  }

  async takeHealthCheckPort(object: Service): Promise<void> {
    const { spec } = object;
    const asked = spec.healthCheckNodePort ?? 0;
    if (asked !== 0) {
      try {
        await this.ports.allocate(asked);
      } catch (error) {
        // Kubernetes answers 500, although the client is at fault.
        const path = FieldPath.of("spec", "healthCheckNodePort");
        throw invalidService(object, [invalid(path, asked, messageOf(error))]);
      }
    } else {
      spec.healthCheckNodePort = await explain("failed to allocate a HealthCheck NodePort 0", () =>
        this.ports.allocateAny(),
      );
    }
  }

  async #takeClusterIp(object: Service, family: string, asked: string): Promise<string> {
    const { clusterIps, dryRun, minor } = this.#parts;
    const allocator = clusterIps.find((candidate) => candidate.family === family);
    if (allocator === undefined) throw internal(`no addresses of family ${family}`);
    let address = asked;
    const request = { service: object, dryRun };
    if (asked === "") {
      const whose = minor < 36 ? "" : ` for Service ${quoted(object.metadata.name ?? "")}`;
      address = await explain(`failed to allocate a serviceIP${whose}`, () => allocator.allocateAny(request));
    } else {
      try {
        await allocator.allocate(asked, request);
      } catch (error) {
        const why = `failed to allocate IP ${asked}: ${messageOf(error)}`;
        const path = FieldPath.of("spec", "clusterIPs");
        throw withErrorTextsOf(minor, () =>
          invalidService(object, [invalid(path, object.spec.clusterIPs, why)]),
        );
      }
    }
    this.#taken.push(address);
    return address;
  }

  /** If the cluster no longer has a family, it has no allocator for it. */
  async #release(address: string): Promise<void> {
    const family = ipFamilyOf(address);
    await this.#parts.clusterIps.find((candidate) => candidate.family === family)?.release(address);
  }

  async #takeNodePort(object: Service, index: number, port: number): Promise<void> {
    try {
      await this.ports.allocate(port);
    } catch (error) {
      const path = FieldPath.of("spec", "ports").index(index).child("nodePort");
      throw invalidService(object, [invalid(path, port, messageOf(error))]);
    }
  }

  async #takeAnyNodePort(): Promise<number> {
    return await explain("failed to allocate a nodePort", () => this.ports.allocateAny());
  }
}

/** From port to its first node port. */
function firstNodePorts(ports: readonly ServicePort[]): ReadonlyMap<number, number> {
  const named = new Map<number, number>();
  for (const { port, nodePort = 0 } of ports) {
    if (nodePort !== 0 && !named.has(port)) named.set(port, nodePort);
  }
  return named;
}

/** Runs a step; rejects with a 500 that names the step. */
async function explain<R>(what: string, step: () => Promise<R>): Promise<R> {
  try {
    return await step();
  } catch (error) {
    throw internal(`${what}: ${messageOf(error)}`, error);
  }
}

/** Messages of allocators are meant for clients; anything else is a bug. */
function messageOf(error: unknown): string {
  if (error instanceof AllocationError || isStorageError(error)) return error.message;
  throw error;
}
