import { minorOf } from "../../../apimachinery/levels/api-level.js";
import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import type { IpRules } from "../../../apimachinery/validation/ip-fields.js";
import {
  clusterIpsOf,
  needsHealthCheckNodePort,
  needsNodePort,
  nodePortsOf,
} from "../../../apis/core/service/service-traits.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import type { Settle } from "../../generic/write-stages.js";
import { AddressTransaction } from "./address-transaction.js";
import type { ClusterIpAllocator } from "./cluster-ip-allocator.js";
import { settleIpFamilies } from "./ip-families.js";
import { type NodePortAllocator, NodePortOperation } from "./node-port-allocator.js";

export interface ServiceAddressesParts {
  /** In the order of the configured networks; the first is the primary family. */
  readonly clusterIps: readonly ClusterIpAllocator[];
  readonly nodePorts: NodePortAllocator;
  readonly ipRules: IpRules;
  /** Called when an item could not be released; the repair finds it later. */
  readonly onLeak: (error: unknown) => void;
}

/** Allocates and releases the addresses and ports of services. */
export class ServiceAddresses {
  readonly #clusterIps: readonly ClusterIpAllocator[];
  readonly #nodePorts: NodePortAllocator;
  readonly #ipRules: IpRules;
  readonly #onLeak: (error: unknown) => void;

  constructor(parts: ServiceAddressesParts) {
    this.#clusterIps = parts.clusterIps;
    this.#nodePorts = parts.nodePorts;
    this.#ipRules = parts.ipRules;
    this.#onLeak = parts.onLeak;
  }

  get families(): readonly IpFamily[] {
    return this.#clusterIps.map(({ family }) => family);
  }

  /** Changes `object`. Rejects with a `StatusError` after releasing everything it took. */
  async forNew(object: Service, dryRun: boolean): Promise<Settle> {
    settleIpFamilies(object, undefined, this.families, this.#ipRules);
    const transaction = this.#begin(dryRun);
    return await transaction.run(async () => {
      await transaction.takeClusterIps(object);
      if (needsNodePort(object)) await transaction.takeNodePorts(object);
      if (needsHealthCheckNodePort(object)) await transaction.takeHealthCheckPort(object);
    });
  }

  /** Like `forNew`; does not change `old`. */
  async forChanged(object: Service, old: Service, dryRun: boolean): Promise<Settle> {
    settleIpFamilies(object, old, this.families, this.#ipRules);
    const transaction = this.#begin(dryRun);
    return await transaction.run(async () => {
      await transaction.changeClusterIps(object, old);
      if (needsNodePort(old) && !needsNodePort(object)) transaction.ports.releaseWhenStored(nodePortsOf(old));
      if (needsNodePort(object)) await transaction.changeNodePorts(object, old);
      const [needed, needs] = [needsHealthCheckNodePort(old), needsHealthCheckNodePort(object)];
      if (!needed && needs) await transaction.takeHealthCheckPort(object);
      if (needed && !needs) transaction.ports.releaseWhenStored([old.spec.healthCheckNodePort ?? 0]);
    });
  }

  /** For a deleted service. */
  async release(object: Service): Promise<void> {
    const transaction = this.#begin(false);
    transaction.releaseWhenStored(clusterIpsOf(object));
    transaction.ports.releaseWhenStored(nodePortsOf(object));
    if (needsHealthCheckNodePort(object)) {
      transaction.ports.releaseWhenStored([object.spec.healthCheckNodePort ?? 0]);
    }
    await transaction.settle(true);
  }

  #begin(dryRun: boolean): AddressTransaction {
    const ports = new NodePortOperation(this.#nodePorts, dryRun);
    return new AddressTransaction({
      clusterIps: this.#clusterIps,
      ports,
      dryRun,
      minor: minorOf(this.#ipRules.level),
      onLeak: this.#onLeak,
    });
  }
}
