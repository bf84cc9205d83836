import { randomInt } from "node:crypto";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { ApiContext } from "../../apis/definition/api-context.js";
import { ipRules } from "../../apis/definition/ip-rules.js";
import type { RangeAllocation } from "../../apis/gen/core-v1.js";
import { controllerUser, controllerWrite } from "../../controllers/controller.js";
import {
  createServiceAllocation,
  type ServiceAllocation,
} from "../../registry/core/service/service-allocation.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import { systemClock } from "../../storage/clock.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { clusterIpMetrics } from "../metrics/cluster-ip-metrics.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { defaultServiceRange } from "../settings/cluster-addresses.js";
import type { Stores } from "../stores/open-store.js";

/** The addresses and node ports of services, from the configured ranges. `builtin` is called on use. */
export function serviceAllocation(
  { options, log, naming }: ApiServerParts,
  stores: Stores,
  schemas: SchemaRegistry,
  builtin: BuiltinRegistries,
  metrics: Metrics,
  api: Pick<ApiContext, "level" | "isEnabled">,
): ServiceAllocation {
  const ranges =
    options.serviceClusterIpRange.length > 0 ? options.serviceClusterIpRange : [defaultServiceRange];
  const user = controllerUser("system:apiserver");
  return createServiceAllocation({
    kv: stores.kv,
    storePrefix: stores.path(""),
    codec: schemas.codec<RangeAllocation>("core/v1.RangeAllocation"),
    mediaType: options.storageMediaType,
    clusterIpRanges: ranges.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
    nodePortRange: options.serviceNodePortRange,
    ipRules: ipRules(api),
    staticBands: {
      clusterIps: api.isEnabled("ServiceIPStaticSubrange"),
      nodePorts: api.isEnabled("ServiceNodePortStaticSubrange"),
    },
    isOnlyWriter: !stores.isShared,
    random: (bound) => randomInt(bound),
    clock: systemClock,
    log,
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
      await builtin("endpoints").delete(
        controllerWrite({ now: () => new Date() }, user, namespace),
        name,
        {},
      );
    },
  });
}
