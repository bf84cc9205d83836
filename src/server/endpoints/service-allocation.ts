import { randomInt } from "node:crypto";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { ipRules } from "../../apis/checks/ip-rules.js";
import type { RangeAllocation, Service } from "../../apis/gen/core-v1.js";
import { type ControllerContext, controllerUser, controllerWrite } from "../../controllers/controller.js";
import { type Warning, WarningEvents } from "../../controllers/warning-events.js";
import type { Informers } from "../../informers/informers.js";
import { createIpRange } from "../../registry/core/service/ip-range.js";
import type { RepairFinding } from "../../registry/core/service/repair.js";
import {
  createServiceAllocation,
  type ServiceAllocation,
} from "../../registry/core/service/service-allocation.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { dateOf, systemClock } from "../../time/clock.js";
import { clusterIpMetrics } from "../metrics/cluster-ip-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { defaultServiceRange } from "../settings/cluster-addresses.js";
import type { Stores } from "../stores/open-store.js";
import { addressObjects } from "./address-objects.js";

export interface ServiceAllocationParts extends ApiServerParts {
  readonly stores: Stores;
  readonly schemas: SchemaRegistry;
  readonly context: Pick<ControllerContext, "builtin">;
  readonly informers: Informers;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
}

/** The addresses and node ports of services, from the configured ranges. */
export function serviceAllocation(parts: ServiceAllocationParts): ServiceAllocation {
  const { options, log, naming, clock, stores, schemas, context, informers, gates, metrics } = parts;
  const { builtin } = context;
  const level = options.apiLevel;
  const clusterIpRanges = canonicalRanges(options.serviceClusterIpRange);
  const user = controllerUser("system:apiserver");
  const now = dateOf(clock);
  const warnings = new WarningEvents({ builtin, log, now }, user);
  return createServiceAllocation({
    kv: stores.kv,
    storePrefix: stores.path(""),
    codec: schemas.codec<RangeAllocation>("core/v1.RangeAllocation"),
    mediaType: options.storageMediaType,
    clusterIpRanges,
    addressObjects: gates.isEnabled("MultiCIDRServiceAllocator")
      ? addressObjects({ naming, log, clock, level, builtin, informers, warnings, clusterIpRanges })
      : undefined,
    nodePortRange: options.serviceNodePortRange,
    ipRules: ipRules({ level, isEnabled: gates.isEnabled }),
    staticBands: {
      clusterIps: gates.isEnabled("ServiceIPStaticSubrange"),
      nodePorts: gates.isEnabled("ServiceNodePortStaticSubrange"),
    },
    isOnlyWriter: !stores.isShared,
    random: (bound) => randomInt(bound),
    clock: systemClock,
    log,
    onFinding: (finding) => warnings.add(warningOf(finding)),
    observeClusterIps: clusterIpMetrics(metrics, naming),
    listServices: () => listServices(builtin),
    async deleteEndpoints(namespace, name) {
      await builtin("endpoints").delete(controllerWrite({ now }, user, namespace), name, {});
    },
  });
}

function canonicalRanges(given: Options["serviceClusterIpRange"]): readonly string[] {
  const ranges = given.length > 0 ? given : [defaultServiceRange];
  return ranges.map(({ address, prefixLength }) => createIpRange(`${address}/${prefixLength}`).text);
}

function warningOf({ service: { metadata }, of, reason, message }: RepairFinding): Warning {
  const { namespace = "", name = "", uid = "" } = metadata;
  const allocator = of === "nodePort" ? "portallocator" : "ipallocator";
  return {
    subject: { apiVersion: "v1", kind: "Service", namespace, name, uid },
    component: `${allocator}-repair-controller`,
    reason,
    message,
  };
}

async function listServices(builtin: BuiltinRegistries): Promise<readonly Service[]> {
  const { items } = await builtin("services").list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 });
  return items.map((stored) => stored.decode());
}
