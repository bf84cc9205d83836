import { FlowControl } from "../../access/flowcontrol/flow-control.js";
import { FlowControlMetrics } from "../../access/flowcontrol/flow-control-metrics.js";
import { LoadShedder } from "../../access/flowcontrol/load-shedder.js";
import type { QueueClock } from "../../access/flowcontrol/seat.js";
import { WatchTracker } from "../../access/flowcontrol/watch-tracker.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FlowSchema, PriorityLevelConfiguration } from "../../apis/gen/flowcontrol-v1.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { FlowControlObjects } from "../../controllers/flow-control-objects.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { Informer } from "../../informers/informer.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { FlowControlParts } from "../../serving/filters/flow-control.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { timerMs } from "../../time/clock.js";
import { autoUpdateAnnotation, flowControlObjects } from "../bootstrap/bootstrap-flow-control.js";
import type { Closing } from "../lifecycle/closing.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import { threadShare } from "../settings/thread-share.js";

export interface FlowControlSetup {
  readonly filter: Omit<FlowControlParts, "refused" | "queued">;
  readonly objects: Controller;
  /** Resolves when requests are queued by the cluster's flow schemas and priority levels. */
  readonly configured: Promise<void>;
}

export interface FlowControlSetupParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly closing: Closing;
  readonly informers: Informers;
  readonly catalog: ApiCatalog;
  readonly context: ControllerContext;
}

/** Flow control that follows the cluster's flow schemas and priority levels; undefined when fixed limits apply. */
export function createFlowControl(parts: FlowControlSetupParts): FlowControlSetup | undefined {
  const { options, naming, gates, metrics, closing, informers, catalog, context } = parts;
  if (!options.enablePriorityAndFairness || !gates.isEnabled("APIPriorityAndFairness")) return undefined;
  const control = new FlowControl({
    seats: threadShare(options, options.maxRequestsInflight + options.maxMutatingRequestsInflight),
    waitMs: options.requestTimeoutMs / 4,
    clock: monotonicClock,
    metrics: new FlowControlMetrics(metrics, () => monotonicClock.now(), options.apiLevel),
    boundsLists: isAtLeast(options.apiLevel, "1.26"),
  });
  closing.add(() => control.close());
  metrics.onRead(() => control.showVirtualTimes());
  const schemas = informers.add({
    source: () => context.builtin("flowschemas.flowcontrol.apiserver"),
    view: (stored) => stored.decode(),
  });
  const levels = informers.add({
    source: () => context.builtin("prioritylevelconfigurations.flowcontrol.apiserver"),
    view: (stored) => stored.decode(),
  });
  const bootstrap = flowControlObjects(naming, options.apiLevel);
  return {
    filter: {
      control,
      watches: new WatchTracker(),
      shedder: loadShedder(control, metrics),
      facts: factsOf(catalog, gates),
      headers: {
        flowSchema: `X-${naming.vendorTitle}-Pf-Flowschema-Uid`,
        priorityLevel: `X-${naming.vendorTitle}-Pf-Prioritylevel-Uid`,
      },
    },
    configured: configuredBy(control, schemas, levels),
    objects: new FlowControlObjects({
      context,
      level: options.apiLevel,
      schemas,
      levels,
      bootstrapSchemas: bootstrap.schemas,
      bootstrapLevels: bootstrap.levels,
      autoUpdateAnnotation: autoUpdateAnnotation(naming),
    }),
  };
}

/** Withholds seats from the less important levels while the event loop lags. */
function loadShedder(control: FlowControl, metrics: Metrics): LoadShedder {
  const withheld = metrics.gauge({
    name: "apiserver_flowcontrol_shed_pressure",
    help: "The fraction of its seats that the least important priority level lacks because the event loop lags.",
    labels: [],
  });
  return new LoadShedder({
    clock: monotonicClock,
    apply: (pressure) => {
      withheld.with().value = pressure;
      control.shed(pressure);
    },
    isBusy: () => control.isBusy,
  });
}

/** Configures `control` whenever schemas or levels change. Resolves after the first time. */
function configuredBy(
  control: FlowControl,
  schemas: Informer<FlowSchema, FlowSchema>,
  levels: Informer<PriorityLevelConfiguration, PriorityLevelConfiguration>,
): Promise<void> {
  return new Promise((resolve) => {
    let isPlanned = false;
    const configure = (): void => {
      if (isPlanned) return;
      isPlanned = true;
      // Many objects change at once while a cluster is created.
      setImmediate(() => {
        isPlanned = false;
        control.configure([...schemas.values()].map(configured), [...levels.values()].map(configured));
        resolve();
      });
    };
    schemas.onChange(configure);
    levels.onChange(configure);
  });
}

/** The statistics from which the work of a request is estimated. */
function factsOf(catalog: ApiCatalog, gates: FeatureGates): FlowControlParts["facts"] {
  const registryOf = (inGroup: string, resource: string): ResourceRegistry | undefined => {
    for (const { resources } of catalog.group(inGroup)?.versions ?? []) {
      const endpoint = resources.get(resource)?.endpoint;
      if (endpoint !== undefined) return endpoint.registry;
    }
    return undefined;
  };
  const countOf = (inGroup: string, resource: string): number | undefined => {
    const registry = registryOf(inGroup, resource);
    // A list of an extension server costs this server little, like that of an unknown resource.
    return registry === undefined ? 0 : registry.knownCount;
  };
  return {
    objectCount: countOf,
    objectBytes: (inGroup, resource) => registryOf(inGroup, resource)?.knownBytes,
    listsBySize: gates.isEnabled("SizeBasedListCostEstimate"),
    isCached: (inGroup, resource) => countOf(inGroup, resource) !== undefined,
    watchesAsLists: watchesAsLists(gates),
  };
}

function watchesAsLists(gates: FeatureGates): "asked" | "all" | undefined {
  if (!gates.isEnabled("WatchList")) return undefined;
  return isAtLeast(gates.level, "1.35") ? "all" : "asked";
}

function configured<Spec>(object: {
  readonly metadata: { name?: string | undefined; uid?: string | undefined };
  readonly spec: Spec;
}) {
  const { metadata, spec } = object;
  return { name: metadata.name ?? "", uid: metadata.uid ?? "", spec };
}

const monotonicClock: QueueClock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, timerMs(ms));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
