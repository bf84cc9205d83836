import { randomInt } from "node:crypto";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { ipRules } from "../../apis/checks/ip-rules.js";
import type { RangeAllocation } from "../../apis/gen/core-v1.js";
import { type ControllerContext, controllerUser, controllerWrite } from "../../controllers/controller.js";
import { WarningEvents } from "../../controllers/warning-events.js";
import type { Informers } from "../../informers/informers.js";
import { createIpRange } from "../../registry/core/service/ip-range.js";
import {
  createServiceAllocation,
  type ServiceAllocation,
} from "../../registry/core/service/service-allocation.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { dateOf, systemClock } from "../../time/clock.js";
import { clusterIpMetrics } from "../metrics/cluster-ip-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
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
  const ranges =
    options.serviceClusterIpRange.length > 0 ? options.serviceClusterIpRange : [defaultServiceRange];
  const clusterIpRanges = ranges.map(
    ({ address, prefixLength }) => createIpRange(`${address}/${prefixLength}`).text,
  );
  const user = controllerUser("system:apiserver");
  const warnings = new WarningEvents({ builtin, log, now: dateOf(clock) }, user);
  return createServiceAllocation({
    kv: stores.kv,
    storePrefix: stores.path(""),
    codec: schemas.codec<RangeAllocation>("core/v1.RangeAllocation"),
    mediaType: options.storageMediaType,
    clusterIpRanges,
    addressObjects: gates.isEnabled("MultiCIDRServiceAllocator")
      ? addressObjects({
          naming,
          log,
          clock,
          level: options.apiLevel,
          builtin,
          informers,
          warnings,
          clusterIpRanges,
        })
      : undefined,
    nodePortRange: options.serviceNodePortRange,
    ipRules: ipRules({ level: options.apiLevel, isEnabled: gates.isEnabled }),
    staticBands: {
      clusterIps: gates.isEnabled("ServiceIPStaticSubrange"),
      nodePorts: gates.isEnabled("ServiceNodePortStaticSubrange"),
    },
    isOnlyWriter: !stores.isShared,
    random: (bound) => randomInt(bound),
    clock: systemClock,
    log,
    onFinding({ service: { metadata }, of, reason, message }) {
      const { namespace = "", name = "", uid = "" } = metadata;
      const allocator = of === "nodePort" ? "portallocator" : "ipallocator";
      warnings.add({
        subject: { apiVersion: "v1", kind: "Service", namespace, name, uid },
        component: `${allocator}-repair-controller`,
        reason,
        message,
      });
    },
    observeClusterIps: clusterIpMetrics(metrics, naming),
    async listServices() {
      const { items } = await builtin("services").list({
        prefix: "",
        at: { kind: "mostRecent" },
        limit: 0,
      });
      return items.map((stored) => stored.decode());
    },
    async deleteEndpoints(namespace, name) {
      await builtin("endpoints").delete(controllerWrite({ now: dateOf(clock) }, user, namespace), name, {});
    },
  });
}
