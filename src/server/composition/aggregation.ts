import { Aggregator } from "../../aggregation/aggregator.js";
import { LocalApiServices } from "../../aggregation/local-api-services.js";
import type { ServiceBackends } from "../../aggregation/service-backends.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { GroupVersion } from "../../apimachinery/objects/meta.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { ResourceHandle } from "../../endpoints/catalog/resource-handle.js";
import { customResourcePriority } from "../../endpoints/catalog/resource-offer.js";
import type { AggregatedVersion } from "../../endpoints/discovery/discovery-documents.js";
import { clientProfile, createNaming, type Naming } from "../../naming/naming.js";
import { directDial } from "../../remote/direct-dial.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { EgressSelection } from "../connections/egress-selection.js";
import type { ProxyClientCertificate } from "../connections/proxy-client-certificate.js";
import { availabilityMetrics } from "../metrics/availability-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";

export interface AggregationControllers {
  /** Registers the versions that this server serves itself. */
  readonly registration: Controller;
  readonly aggregator: Controller;
}

export interface AggregationParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  readonly backends: ServiceBackends;
  readonly egress: EgressSelection;
  readonly proxyClientCertificate: ProxyClientCertificate;
  readonly metrics: Metrics;
  readonly gates: FeatureGates;
}

/** Call it once the built-in kinds are published. */
export function createAggregation(parts: AggregationParts): AggregationControllers {
  const { options, naming, catalog, context, metrics, gates } = parts;
  const priorities = new Map<string, number>();
  for (const { group: name, priority } of catalog.localVersions()) priorities.set(name, priority.group);
  return {
    registration: new LocalApiServices(context, {
      label: automanagedLabel(naming),
      versions: {
        localVersions: () => [...catalog.localVersions()].filter((each) => hasApiService(naming, each.group)),
        localVersion: (name, version) =>
          hasApiService(naming, name) ? catalog.localVersion(name, version) : undefined,
        subscribe: (listener) =>
          catalog.subscribe(({ added, removed }) => listener([...added, ...removed].flatMap(versionsOf))),
      },
      isBuiltin: ({ group: name }) => (priorities.get(name) ?? 0) > customResourcePriority.group,
    }),
    aggregator: new Aggregator(context, {
      catalog: catalog.source("API services"),
      backends: parts.backends,
      certificate: parts.proxyClientCertificate,
      user: `system:${naming.prefix}-aggregator`,
      toEndpoints: options.enableAggregatorRouting,
      dial: parts.egress.cluster ?? directDial,
      random: Math.random,
      discovery: {
        group: createNaming(clientProfile).group("apidiscovery"),
        versions: askedVersions(options.apiLevel, gates),
      },
      disconnectsAfterFailure: isAtLeast(options.apiLevel, "1.36"),
      metrics: availabilityMetrics(metrics),
    }),
  };
}

/** Whether API services name the group's versions; the aggregator's own group is served beside them. */
export function hasApiService(naming: Naming, group: string): boolean {
  return group !== naming.group("apiregistration");
}

/** The label of API services that the server creates and maintains. */
export function automanagedLabel({ prefix, domain }: Naming): string {
  return `${prefix}-aggregator.${domain}/automanaged`;
}

/** The versions in which aggregated discovery is requested from extension servers. */
function askedVersions(level: ApiLevel, gates: FeatureGates): readonly AggregatedVersion[] {
  if (!gates.isEnabled("AggregatedDiscoveryEndpoint")) return [];
  return isAtLeast(level, "1.30") ? ["v2", "v2beta1"] : ["v2beta1"];
}

function versionsOf({ definition, served }: ResourceHandle): GroupVersion[] {
  return [...served.keys()].map((version) => ({ group: definition.group, version }));
}
