import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { TransformationDirection } from "../../storage/transform/envelope-transformer.js";
import type { TransformationObserver } from "../../storage/transform/transformation-observer.js";
import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { kmsMetrics } from "./kms-metrics.js";

/** Seconds: from 5 microseconds, each twice the previous one. A key service may take long. */
const durationBounds = exponentialBuckets(5e-6, 25);
const keyDurationBounds = exponentialBuckets(5e-6, 14);
const arrivalBounds = exponentialBuckets(60, 10);

export interface TransformationMetricsOptions {
  readonly level: ApiLevel;
  /** Distinguishes this server from others. */
  readonly identity: string;
}

/** Counts the encryption of stored values. Source of the names: apiserver `pkg/storage/value`. */
export function transformationMetrics(
  metrics: Metrics,
  { level, identity }: TransformationMetricsOptions,
): TransformationObserver {
  const namesResource = isAtLeast(level, "1.32");
  const namesPrefix = isAtLeast(level, "1.27");
  const operations = metrics.counter({
    name: "apiserver_storage_transformation_operations_total",
    help: "Stored values that were encrypted or decrypted, by provider and outcome.",
    labels: [...(namesResource ? ["resource"] : []), "transformation_type", "transformer_prefix", "status"],
  });
  const durations = metrics.histogram({
    name: "apiserver_storage_transformation_duration_seconds",
    help: "Time in seconds that encrypting and decrypting a stored value took.",
    labels: ["transformation_type", ...(namesPrefix ? ["transformer_prefix"] : [])],
    bounds: durationBounds,
  });
  const misses = metrics
    .counter({
      name: "apiserver_storage_envelope_transformation_cache_misses_total",
      help: "Reads that needed a key service, as their key was not at hand.",
      labels: [],
    })
    .with();
  const keyDurations = metrics.histogram({
    name: "apiserver_storage_data_key_generation_duration_seconds",
    help: "Time in seconds that it took to generate a data encryption key.",
    labels: [],
    bounds: keyDurationBounds,
  });
  const keyFailures = metrics.counter({
    name: "apiserver_storage_data_key_generation_failures_total",
    help: "Data encryption keys that could not be generated.",
    labels: [],
  });
  const fill = metrics.gauge({
    name: "apiserver_envelope_encryption_dek_cache_fill_percent",
    help: "The part of the cache of data encryption keys that is in use, from 0 to 1.",
    labels: [],
  });
  const arrivals = metrics.histogram({
    name: "apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds",
    help: "Time in seconds between values that are encrypted or decrypted by data encryption keys.",
    labels: ["transformation_type"],
    bounds: arrivalBounds,
  });
  const lastArrivals = new Map<TransformationDirection, number>();
  return {
    arrived(direction) {
      const at = performance.now();
      arrivals.with(direction).observe((at - (lastArrivals.get(direction) ?? at)) / 1000);
      lastArrivals.set(direction, at);
    },
    keyGenerated(milliseconds) {
      keyDurations.with().observe(milliseconds / 1000);
    },
    keyGenerationFailed() {
      keyFailures.with().value++;
    },
    keysFilled(fraction) {
      fill.with().value = fraction;
    },
    transformed(direction, { prefix, resource }, milliseconds, isOk) {
      // Kubernetes has a gRPC code here.
      const status = isOk ? "OK" : "Unknown";
      operations.with(...(namesResource ? [resource] : []), direction, prefix, status).value++;
      durations.with(direction, ...(namesPrefix ? [prefix] : [])).observe(milliseconds / 1000);
    },
    ofService: kmsMetrics(metrics, { level, identity }),
    keyMissed() {
      misses.value++;
    },
  };
}
