import type { FlowControl } from "../../access/flowcontrol/flow-control.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import { type AggregatedVersion, DiscoveryDocuments } from "../../endpoints/discovery/discovery-documents.js";
import { OpenApiDocuments } from "../../endpoints/openapi/openapi-documents.js";
import type { Informers } from "../../informers/informers.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Negotiator } from "../../serving/responses/negotiator.js";
import type { Route } from "../../serving/routing/router.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import type { HealthObserver } from "../health/health-checks.js";
import { createServerChecks } from "../health/server-checks.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { showFeatureGates } from "../metrics/feature-metrics.js";
import { HealthMetrics } from "../metrics/health-metrics.js";
import { metricsContentType } from "../metrics/metrics-content-type.js";
import { MetricsPage } from "../metrics/metrics-page.js";
import { StorePoll } from "../metrics/store-poll.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { optionTexts } from "../options/option-texts.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { publishedAddress } from "../settings/cluster-addresses.js";
import { documentedVersion, gitVersion, levelsOf } from "../settings/version.js";
import type { Stores } from "../stores/open-store.js";
import { componentPageRoutes } from "./component-pages.js";
import { debugRoutes } from "./debug-routes.js";
import { discoveryRoutes } from "./discovery-routes.js";
import { flagRoutes } from "./flag-routes.js";
import { flowControlRoutes } from "./flow-control-routes.js";
import { healthRoutes } from "./health-routes.js";
import { issuerDiscoveryRoutes } from "./issuer-discovery-routes.js";
import { hostLogs, logFileRoutes } from "./log-file-routes.js";
import { healthMetricsRoutes, metricsRoutes } from "./metrics-routes.js";
import { openApiRoutes } from "./openapi-routes.js";
import { rootRoutes } from "./root-routes.js";

export interface ServerRoutesParts extends ApiServerParts {
  readonly gates: FeatureGates;
  /** The post-start hooks are declared here. */
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  readonly catalog: ApiCatalog;
  readonly informers: Informers;
  readonly negotiator: Negotiator;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Undefined when fixed limits apply. */
  readonly flowControl: FlowControl | undefined;
  readonly labRoutes: readonly Route[];
}

/** Everything a server answers besides resources: metrics, health, debugging, discovery, OpenAPI, versions. */
export function serverRoutes(parts: ServerRoutesParts): readonly Route[] {
  const { options, naming, build, gates, catalog, yaml, negotiator, lifecycle } = parts;
  const compress = gates.isEnabled("APIResponseCompression");
  const serverAddress = (): string => publishedAddress(options, lifecycle.port);
  const issuerDiscovery = issuerDiscoveryRoutes({
    issuer: parts.serviceAccountTokens.issuers[0] ?? "",
    keys: parts.serviceAccountTokens.keys,
    jwksUri: options.serviceAccountJwksUri,
    serverAddress,
    level: options.apiLevel,
  });
  const discovery = new DiscoveryDocuments({
    catalog,
    serverAddress,
    storageVersionHashes: gates.isEnabled("StorageVersionHash"),
    level: options.apiLevel,
  });
  const openApi = new OpenApiDocuments({
    catalog,
    naming,
    types: parts.schemas,
    enums: gates.isEnabled("OpenAPIEnums"),
    fieldValidation: gates.served("ServerSideFieldValidation"),
    cbor: gates.isEnabled("CBORServingAndStorage"),
    version: documentedVersion(options.apiLevel),
    level: options.apiLevel,
    build: `${build.version} ${build.gitCommit}`,
    issuerDiscovery: issuerDiscovery.length > 0,
    logFiles: options.enableLogsHandler,
  });
  const indicators = gates.isEnabled("ComponentSLIs") ? new HealthMetrics(naming) : undefined;
  const contentTypeOfMetrics = metricsContentType(options.apiLevel);
  const routes: Route[] = [
    ...metricsRoutes(metricsPage(parts), contentTypeOfMetrics),
    ...(indicators === undefined ? [] : healthMetricsRoutes(indicators, contentTypeOfMetrics)),
    ...healthRoutes(healthChecks(parts, indicators?.observe), parts.log),
    ...(parts.flowControl === undefined ? [] : flowControlRoutes(parts.flowControl, now)),
    ...(options.profiling ? debugRoutes({ contention: options.contentionProfiling }) : []),
    ...(options.profiling ? flagRoutes(parts.log.levels, options.apiLevel) : []),
    ...(options.enableLogsHandler ? logFileRoutes(hostLogs) : []),
    ...parts.labRoutes,
    ...issuerDiscovery,
    ...discoveryRoutes({
      documents: discovery,
      aggregatedVersions: aggregatedVersions(options.apiLevel, gates),
      negotiator,
      yaml,
      compress,
      askedWithoutPeers: countOfAskedWithoutPeers(parts),
    }),
    ...openApiRoutes({
      documents: openApi,
      v3: gates.served("OpenAPIV3"),
      level: options.apiLevel,
      compress,
      now: () => new Date(),
    }),
  ];
  const listedPaths = () => routes.filter(({ listed }) => listed).map(({ path }) => path.replace(/\*$/, ""));
  routes.push(...componentPages(parts, [...listedPaths(), "/version"]));
  const otherPaths = listedPaths();
  return [...routes, ...rootRoutes({ catalog, build, levels: levelsOf(options), otherPaths, writeDocument })];
}

/** Newer clients ask for them at the oldest level too, although Kubernetes 1.23 has none. */
function aggregatedVersions(level: ApiLevel, gates: FeatureGates): readonly AggregatedVersion[] {
  if (level === "1.23") return ["v2", "v2beta1"];
  if (!gates.isEnabled("AggregatedDiscoveryEndpoint")) return [];
  const beta = gates.isEnabled("AggregatedDiscoveryRemoveBetaType") ? [] : (["v2beta1"] as const);
  return isAtLeast(level, "1.30") ? ["v2", ...beta] : beta;
}

/** This server has no peers to merge in, so the document without peers is the same. */
function countOfAskedWithoutPeers({ options, gates, metrics }: ServerRoutesParts): (() => void) | undefined {
  if (!isAtLeast(options.apiLevel, "1.35") || !gates.isEnabled("UnknownVersionInteroperabilityProxy")) {
    return undefined;
  }
  const count = metrics
    .counter({
      name: "aggregator_discovery_nopeer_requests_total",
      help: "Requests for aggregated discovery of this server alone, by profile=nopeer.",
      labels: [],
    })
    .with();
  return () => void count.value++;
}

function componentPages(
  { options, naming, build, gates, yaml, lifecycle }: ServerRoutesParts,
  listed: readonly string[],
): Route[] {
  const shows = { status: gates.isEnabled("ComponentStatusz"), flags: gates.isEnabled("ComponentFlagz") };
  const folders = new Set(listed.map((path) => `/${path.split("/")[1]}`));
  if (shows.status) folders.add("/statusz");
  if (shows.flags) folders.add("/flagz");
  for (const notOfThisServer of ["/api", "/apis", "/openapi", "/.well-known", "/openid"])
    folders.delete(notOfThisServer);
  return componentPageRoutes({
    name: naming.commandName,
    level: options.apiLevel,
    shows,
    hasCbor: gates.isEnabled("CBORServingAndStorage"),
    yaml,
    startedAt: new Date(lifecycle.startedAt),
    now: () => new Date(),
    runtime: `node${process.version}`,
    version: gitVersion(build, levelsOf(options).own).slice(1),
    paths: () => [...folders].sort(),
    flags: () => optionTexts(options, naming),
  });
}

function metricsPage(parts: ServerRoutesParts): MetricsPage {
  const { options, naming, build, gates, lifecycle, metrics, stores } = parts;
  const poll = new StorePoll({
    stores,
    countPeriodMs: options.storeCountMetricPollPeriodMs,
    sizePeriodMs: options.storeDbMetricPollIntervalMs,
    stopping: lifecycle.draining,
  });
  showFeatureGates(metrics, naming, gates);
  const estimatesSizes = gates.isEnabled("SizeBasedListCostEstimate");
  return new MetricsPage({ naming, build, levels: levelsOf(options), poll, metrics, estimatesSizes });
}

function healthChecks(
  { options, naming, lifecycle, stores, informers }: ServerRoutesParts,
  observe: HealthObserver | undefined,
) {
  return createServerChecks({
    observe,
    naming,
    lifecycle,
    informers,
    checkStore: () => stores.checkHealth(),
    checkStoreReadiness: isAtLeast(options.apiLevel, "1.25") ? () => stores.checkReadiness() : undefined,
    checksLoopback: isAtLeast(options.apiLevel, "1.36"),
    keyServices: stores.keyServiceChecks,
    keyServicesOfLivez: !isAtLeast(options.apiLevel, "1.29"),
    livezGracePeriodMs: options.livezGracePeriodMs,
    now: () => Date.now(),
  });
}

const now = () => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** Indented for every client, as in Kubernetes. */
async function writeDocument(context: RequestContext, document: JsonObject): Promise<void> {
  const text = printJson(document, { indent: "  " });
  context.exchange.respond(200, { "Content-Type": "application/json" }, text);
}
