import { isStatus } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { ipFamilyOf } from "../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../apis/gen/core-v1.js";
import type { IPAddress, ServiceCIDR } from "../../apis/gen/networking-v1.js";
import { serverWrite } from "../../controllers/controller.js";
import type { WarningEvents } from "../../controllers/warning-events.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import {
  type AddressRange,
  addressNumber,
  parseAddressRanges,
} from "../../registry/core/service/address-range.js";
import { AddressSet } from "../../registry/core/service/address-set.js";
import type { AddressObjectsSource } from "../../registry/core/service/service-allocation.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Logger } from "../../telemetry/logger.js";
import { type Clock, dateOf } from "../../time/clock.js";
import { DefaultServiceCidr } from "../bootstrap/default-service-cidr.js";

export interface AddressObjectsParts {
  readonly naming: Naming;
  readonly log: Logger;
  readonly clock: Clock;
  readonly level: ApiLevel;
  readonly builtin: BuiltinRegistries;
  readonly informers: Informers;
  readonly warnings: WarningEvents;
  /** The ranges of the options, in canonical form. */
  readonly clusterIpRanges: readonly string[];
}

const mostRecent = { kind: "mostRecent" } as const;

/** IPAddress objects of services. Until ServiceCIDR objects exist, the ranges are those of the options. */
export function addressObjects(parts: AddressObjectsParts): AddressObjectsSource {
  const { naming, clock, level, builtin, informers, clusterIpRanges } = parts;
  const familyLabel = `ipaddress.${naming.domain}/ip-family`;
  const [managerLabel, manager] = addressManager(naming);
  const addresses = () => builtin("ipaddresses.networking");
  const write = () => serverWrite({ now: dateOf(clock), fieldManager: naming.commandName }, "");
  const taken = { IPv4: new AddressSet(), IPv6: new AddressSet() };
  informers
    .add<IPAddress, true>({ source: addresses, view: () => true, immediate: true })
    .onChange(({ key, value: isThere }) => {
      const family = ipFamilyOf(key);
      const address = addressNumber(key);
      if (family === undefined || address === undefined) return;
      if (isThere === undefined) taken[family].delete(address);
      else taken[family].add(address);
    });
  return {
    holders: {
      firstFree: (family, first, last) => taken[family].firstMissing(first, last),
      async create(address, family, service) {
        const labels = { [familyLabel]: family, [managerLabel]: manager };
        const object = { metadata: { name: address, labels }, spec: { parentRef: referenceTo(service) } };
        try {
          await addresses().create(write(), object);
          return true;
        } catch (error) {
          if (isStatus(error, "AlreadyExists")) return false;
          throw error;
        }
      },
      async remove(address) {
        try {
          await addresses().delete(write(), address, {});
        } catch (error) {
          if (!isStatus(error, "NotFound")) throw error;
        }
      },
      count: ({ family, first, last }) => taken[family].count(first, last),
    },
    async listAddresses() {
      const { items } = await addresses().list({ prefix: "", at: mostRecent, limit: 0 });
      const listed = items.map((stored) => stored.decode());
      return listed.filter(({ metadata }) => metadata.labels?.[managerLabel] === manager);
    },
    ...(isAtLeast(level, "1.29") ? rangeObjects(parts) : fixedRanges(clusterIpRanges)),
  };
}

/** Label and value of the addresses that servers allocate. */
export function addressManager({ domain, groupDomain }: Naming): readonly [label: string, value: string] {
  return [`ipaddress.${domain}/managed-by`, `ipallocator.${groupDomain}`];
}

type Ranges = Pick<AddressObjectsSource, "ranges" | "listRanges" | "defaultRange">;

function rangeObjects({
  naming,
  log,
  clock,
  builtin,
  informers,
  warnings,
  clusterIpRanges,
}: AddressObjectsParts): Ranges {
  const registry = () => builtin("servicecidrs.networking");
  const known = informers.add<ServiceCIDR, readonly AddressRange[]>({
    source: registry,
    view(stored) {
      const object = stored.decode();
      return isReady(object) ? parseAddressRanges(object.spec.cidrs) : [];
    },
    immediate: true,
  });
  return {
    ranges: (family) => [...known.values()].flat().filter((range) => range.family === family),
    async listRanges() {
      const { items } = await registry().list({ prefix: "", at: mostRecent, limit: 0 });
      return items.flatMap((stored) => parseAddressRanges(stored.decode().spec.cidrs));
    },
    defaultRange: new DefaultServiceCidr({ naming, log, clock, warnings, registry, cidrs: clusterIpRanges }),
  };
}

function fixedRanges(cidrs: readonly string[]): Ranges {
  const fixed = parseAddressRanges(cidrs);
  return {
    ranges: (family) => fixed.filter((range) => range.family === family),
    listRanges: async () => fixed,
    defaultRange: { repairOnce: async () => {} },
  };
}

/** Ready unless a condition says otherwise, because the controller that writes the condition may not run. */
function isReady({ metadata, status }: ServiceCIDR): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "True";
}

function referenceTo({ metadata: { namespace = "", name = "" } }: Service) {
  return { resource: "services", namespace, name };
}
