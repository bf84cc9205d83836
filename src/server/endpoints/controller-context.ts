import type { ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { ResourceHandle } from "../../endpoints/catalog/resource-handle.js";
import type { Naming } from "../../naming/naming.js";
import { builtinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { type Clock, dateOf } from "../../time/clock.js";
import { WorkQueueMetrics } from "../metrics/work-queue-metrics.js";

/** The dependencies of controllers, for the resources of `catalog`. */
export function controllerContext({
  catalog,
  naming,
  log,
  metrics,
  clock,
}: {
  readonly catalog: LiveCatalog;
  readonly naming: Naming;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}): ControllerContext {
  const queueMetrics = new WorkQueueMetrics(metrics);
  return {
    builtin: builtinRegistries((group, resource) => catalog.registry(group, resource), naming),
    registries: () => catalog.registries(),
    onRegistries: (listener) =>
      catalog.subscribe(({ added, removed }) =>
        listener({ added: registriesOf(added), removed: registriesOf(removed) }),
      ),
    log,
    observeQueue: (name) => queueMetrics.of(name),
    clock,
    now: dateOf(clock),
    fieldManager: naming.commandName,
  };
}

function registriesOf(handles: readonly ResourceHandle[]) {
  return handles.flatMap(({ registry }) => registry ?? []);
}
