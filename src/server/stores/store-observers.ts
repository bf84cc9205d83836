import type { Naming } from "../../naming/naming.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { Clock } from "../../time/clock.js";
import { StorageMetrics } from "../metrics/storage-metrics.js";
import { transformationMetrics } from "../metrics/transformation-metrics.js";
import type { Options } from "../options/options.js";
import type { ServerIdentity } from "../settings/server-identity.js";
import type { StoreObservers } from "./open-store.js";

export interface StoreObserversParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly identity: ServerIdentity;
}

/** Reports what the stores of a thread do to that thread's metrics and log. */
export function storeObservers(parts: StoreObserversParts): StoreObservers {
  const { options, naming, clock, log, metrics, identity } = parts;
  const storageMetrics = new StorageMetrics(metrics, naming.storeName, options.apiLevel);
  return {
    clock,
    metrics: storageMetrics,
    leaseReplaced: storageMetrics.leaseReplaced,
    transformations: transformationMetrics(metrics, {
      level: options.apiLevel,
      identity: identity.name,
    }),
    log,
    onFailure: (reason) => log.error("the store failed in the background", reason),
  };
}
