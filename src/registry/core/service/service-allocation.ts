import type { Codec } from "../../../apimachinery/schema/codec.js";
import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import type { IpRules } from "../../../apimachinery/validation/ip-fields.js";
import type { RangeAllocation, Service } from "../../../apis/gen/core-v1.js";
import type { IPAddress } from "../../../apis/gen/networking-v1.js";
import type { KeyValueStore } from "../../../storage/kv.js";
import type { Logger } from "../../../telemetry/logger.js";
import type { Clock } from "../../../time/clock.js";
import type { RegistryHooks } from "../../generic/write-stages.js";
import { AddressObjectRepair } from "./address-object-repair.js";
import type { AddressRange } from "./address-range.js";
import type { RandomInt } from "./allocation-bitmap.js";
import { BitmapIpAllocator } from "./bitmap-ip-allocator.js";
import type { ClusterIpAllocator, ClusterIpObserver } from "./cluster-ip-allocator.js";
import { createIpRange, type IpRange } from "./ip-range.js";
import { NodePortAllocator, type PortRange, portRangeText } from "./node-port-allocator.js";
import { type AddressHolders, ObjectIpAllocator } from "./object-ip-allocator.js";
import { RangeAllocator } from "./range-allocator.js";
import { RangeRecord } from "./range-record.js";
import { RangeRepair, type RepairFinding, type Repairs, type RepairWords, type UsedItem } from "./repair.js";
import { ServiceAddresses } from "./service-addresses.js";
import { createServiceHooks } from "./service-hooks.js";
import { ServiceRepair } from "./service-repair.js";
import { addressWords, nodePortWords, usedAddresses, usedNodePorts } from "./used-items.js";

export interface ServiceAllocationOptions {
  readonly kv: KeyValueStore;
  /** Such as `/registry`: the records are kept below it, where all servers of the store find them. */
  readonly storePrefix: string;
  /** Of `core/v1.RangeAllocation`. */
  readonly codec: Codec<RangeAllocation>;
  readonly mediaType: "protobuf" | "json";
  /** One CIDR, or two of different families; the first is the primary. */
  readonly clusterIpRanges: readonly string[];
  readonly nodePortRange: PortRange;
  readonly ipRules: IpRules;
  /**
   * Addresses and ports are allocated from the upper part of their range first, so that the lower part stays free for requests that name
   * one.
   */
  readonly staticBands: { readonly clusterIps: boolean; readonly nodePorts: boolean };
  readonly random: RandomInt;
  /** No other server writes to the store. */
  readonly isOnlyWriter: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** All services, as of the call or later. */
  readonly listServices: () => Promise<readonly Service[]>;
  /** Rejects with 404 when there are none. */
  readonly deleteEndpoints: (namespace: string, name: string) => Promise<void>;
  /** Makes an observer for each range of addresses, by its CIDR. */
  readonly observeClusterIps: (range: string) => ClusterIpObserver;
  /** Set where addresses and ranges are objects; otherwise a bitmap of each range is kept. */
  readonly addressObjects?: AddressObjectsSource | undefined;
  /** Receives problems for events; all are logged too. */
  readonly onFinding?: ((finding: RepairFinding) => void) | undefined;
}

/** IPAddress objects, and the ServiceCIDR objects that define the ranges. */
export interface AddressObjectsSource {
  readonly holders: AddressHolders;
  /** The ranges from which addresses are allocated now. */
  readonly ranges: (family: IpFamily) => readonly AddressRange[];
  readonly listAddresses: () => Promise<readonly IPAddress[]>;
  readonly listRanges: () => Promise<readonly AddressRange[]>;
  /** Maintains the ServiceCIDR object of the configured ranges. */
  readonly defaultRange: Repairs;
}

export interface ServiceAllocation {
  readonly hooks: RegistryHooks<Service>;
  /** Start it before the first service is written. */
  readonly repair: ServiceRepair;
  readonly families: readonly IpFamily[];
}

/** A range whose allocations are kept in one record. */
interface RecordedRange {
  readonly record: RangeRecord;
  readonly allocator: RangeAllocator;
}

/** Addresses and node ports of services, from the configured ranges. Throws `RangeError` for a malformed CIDR. */
export function createServiceAllocation(options: ServiceAllocationOptions): ServiceAllocation {
  const { clusterIpRanges, nodePortRange, log } = options;
  const networks = clusterIpRanges.map(createIpRange);
  const [primary] = networks;
  if (primary === undefined) throw new RangeError("no range of cluster IPs");
  // Reserved for the API server's own service, so only allocated by name.
  const apiServiceIp = primary.addressAt(0);
  const { clusterIps, repairs } =
    options.addressObjects === undefined
      ? addressesInBitmaps(options, networks)
      : addressesInObjects(options, options.addressObjects, networks, apiServiceIp);
  const portText = portRangeText(nodePortRange);
  const ports = openRange(options, {
    key: "servicenodeports",
    rangeText: portText,
    size: nodePortRange.max - nodePortRange.min + 1,
    resource: "servicenodeportallocations",
    staticBand: options.staticBands.nodePorts ? staticNodePorts(nodePortRange) : 0,
  });
  repairs.push(
    createRepair(options, ports, nodePortWords(portText), (services) =>
      usedNodePorts(services, nodePortRange),
    ),
  );

  const addresses = new ServiceAddresses({
    clusterIps,
    nodePorts: new NodePortAllocator(nodePortRange, ports.allocator),
    ipRules: options.ipRules,
    onLeak: (error) => log.error("the addresses of a service could not be released", error),
  });
  return {
    hooks: createServiceHooks({
      level: options.ipRules.level,
      addresses,
      deleteEndpoints: options.deleteEndpoints,
      onError: (error) => log.error("the endpoints of a service that is gone could not be removed", error),
    }),
    repair: new ServiceRepair({
      repairs,
      isOnlyWriter: options.isOnlyWriter,
      clock: options.clock,
      onError: (error) => log.error("the allocations of services could not be repaired", error),
    }),
    families: addresses.families,
  };
}

interface Addresses {
  readonly clusterIps: readonly ClusterIpAllocator[];
  readonly repairs: Repairs[];
}

function addressesInBitmaps(options: ServiceAllocationOptions, networks: readonly IpRange[]): Addresses {
  const clusterIps: ClusterIpAllocator[] = [];
  const repairs: Repairs[] = [];
  for (const [index, range] of networks.entries()) {
    const recorded = openIpRange(options, range, index === 0);
    clusterIps.push(new BitmapIpAllocator(range, recorded.allocator, options.observeClusterIps(range.text)));
    repairs.push(
      createRepair(options, recorded, addressWords(range), (services) => usedAddresses(services, range)),
    );
  }
  return { clusterIps, repairs };
}

/** One allocator for each family of the configured ranges. */
function addressesInObjects(
  { random, observeClusterIps, listServices, clock, ...options }: ServiceAllocationOptions,
  { holders, ranges, listAddresses, listRanges, defaultRange }: AddressObjectsSource,
  networks: readonly IpRange[],
  reserved: string,
): Addresses {
  const clusterIps = networks.map(
    ({ family }) =>
      new ObjectIpAllocator({
        family,
        holders,
        ranges: () => ranges(family),
        reserved,
        random,
        observe: observeClusterIps,
      }),
  );
  const repair = new AddressObjectRepair({
    holders,
    listServices,
    listAddresses,
    listRanges,
    now: () => clock.now(),
    report: (finding) => reportFinding(options, finding),
  });
  return { clusterIps, repairs: [defaultRange, repair] };
}

function reportFinding(
  { log, onFinding }: Pick<ServiceAllocationOptions, "log" | "onFinding">,
  finding: RepairFinding,
): void {
  const { namespace, name } = finding.service.metadata;
  log.warn(finding.message, { namespace, service: name });
  onFinding?.(finding);
}

function openIpRange(options: ServiceAllocationOptions, range: IpRange, isPrimary: boolean): RecordedRange {
  return openRange(options, {
    key: isPrimary ? "serviceips" : "secondaryserviceips",
    rangeText: range.text,
    size: range.size,
    resource: "serviceipallocations",
    reservedItems: isPrimary ? 1 : 0,
    staticBand: options.staticBands.clusterIps ? range.staticSize : 0,
  });
}

function openRange(
  { kv, storePrefix, codec, mediaType, random }: ServiceAllocationOptions,
  range: {
    readonly key: string;
    readonly rangeText: string;
    readonly size: number;
    readonly resource: string;
    readonly reservedItems?: number;
    readonly staticBand: number;
  },
): RecordedRange {
  const record = new RangeRecord({ kv, key: `${storePrefix}/ranges/${range.key}`, codec, mediaType });
  return { record, allocator: new RangeAllocator({ ...range, record, random }) };
}

/** One port in 32, but at least 16 and at most 128; none when the range has only 16. */
export function staticNodePorts({ min, max }: PortRange): number {
  const size = max - min + 1;
  return size <= 16 ? 0 : Math.min(Math.max(Math.floor(size / 32), 16), 128);
}

function createRepair(
  { listServices, log, onFinding }: ServiceAllocationOptions,
  { record, allocator }: RecordedRange,
  words: RepairWords,
  usedOf: (services: readonly Service[]) => readonly UsedItem[],
): RangeRepair {
  return new RangeRepair({
    record,
    rangeText: allocator.rangeText,
    size: allocator.size,
    words,
    used: async () => usedOf(await listServices()),
    report: (finding) => reportFinding({ log, onFinding }, finding),
  });
}
