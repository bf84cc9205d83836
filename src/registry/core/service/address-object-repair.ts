import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import { clusterIpsOf } from "../../../apis/core/service/service-traits.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import type { IPAddress } from "../../../apis/gen/networking-v1.js";
import { type AddressRange, addressNumber, addressText, hasAddress } from "./address-range.js";
import type { AddressHolders } from "./object-ip-allocator.js";
import type { RepairFinding, Repairs } from "./repair.js";

/** An address is taken before its service is stored; no request takes longer than this in between. */
const leakAgeMs = 60_000;

export interface AddressObjectRepairParts {
  readonly holders: Pick<AddressHolders, "create" | "remove">;
  readonly listServices: () => Promise<readonly Service[]>;
  /** IPAddress objects that this kind of server created. */
  readonly listAddresses: () => Promise<readonly IPAddress[]>;
  /** The CIDRs of all families, including those from which addresses are no longer allocated. */
  readonly listRanges: () => Promise<readonly AddressRange[]>;
  readonly now: () => number;
  readonly report: (finding: RepairFinding) => void;
}

/**
 * Reconciles IPAddress objects with services: creates missing ones, as for a store of a server that recorded addresses differently, and
 * removes those that no service has.
 */
export class AddressObjectRepair implements Repairs {
  readonly #parts: AddressObjectRepairParts;

  constructor(parts: AddressObjectRepairParts) {
    this.#parts = parts;
  }

  /** With `nobodyWrites`, leaked addresses are removed at once. */
  async repairOnce(nobodyWrites = false): Promise<void> {
    const { holders, listServices, listAddresses, listRanges, now, report } = this.#parts;
    // Addresses first: those created meanwhile belong to services that are not stored yet.
    const addresses = await listAddresses();
    const ranges = await listRanges();
    const holderOf = new Map(addresses.map((address) => [address.metadata.name ?? "", parentKey(address)]));
    /** From address to its service. */
    const owners = new Map<string, string>();
    const services = await listServices();
    const used = services.flatMap((service) =>
      clusterIpsOf(service).map((address) => ({ service, address })),
    );
    for (const { service, address } of used) {
      const family = ipFamilyOf(address);
      const value = addressNumber(address);
      if (family === undefined || value === undefined) continue;
      const name = addressText(family, value);
      const key = serviceKey(service);
      const holder = holderOf.get(name);
      const finding = (reason: string, what: string): void =>
        report({ service, of: "clusterIp", reason, message: `Cluster IP [${family}]:${address} ${what}` });
      if (owners.has(name) || (holder !== undefined && holder !== key)) {
        finding("ClusterIPAlreadyAllocated", "was assigned to multiple services; please recreate service");
        if (!owners.has(name) && holder !== undefined) owners.set(name, holder);
        continue;
      }
      owners.set(name, key);
      if (!ranges.some((range) => range.family === family && hasAddress(range, value))) {
        finding("ClusterIPOutOfRange", "is not within any service CIDR; please recreate service");
      }
      if (holder !== undefined) continue;
      if ((await holders.create(name, family, service)) && addresses.length > 0) {
        finding("ClusterIPNotAllocated", "is not allocated; repairing");
      }
    }
    for (const { metadata } of addresses) {
      const { name = "", creationTimestamp = "" } = metadata;
      if (owners.get(name) === holderOf.get(name)) continue;
      if (nobodyWrites || now() - Date.parse(creationTimestamp) > leakAgeMs) await holders.remove(name);
    }
  }
}

function serviceKey({ metadata: { namespace = "", name = "" } }: Service): string {
  return `services/${namespace}/${name}`;
}

function parentKey({ spec: { parentRef } }: IPAddress): string {
  const { group = "", resource = "", namespace = "", name = "" } = parentRef ?? {};
  return `${group === "" ? resource : `${resource}.${group}`}/${namespace}/${name}`;
}
