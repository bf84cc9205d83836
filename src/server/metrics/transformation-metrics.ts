import type { TransformationObserver } from "../../storage/transform/transformation-observer.js";
import type { Metrics } from "../../telemetry/metrics.js";

const steps = 14;
/** Seconds: from 5 microseconds, each twice the one before. */
const durationBounds = Array.from({ length: steps }, (_, step) => 5e-6 * 2 ** step);

/** Counts the encryption of stored values. Source of the names: apiserver `pkg/storage/value`, version 1.23. */
export function transformationMetrics(metrics: Metrics): TransformationObserver {
  const operations = metrics.counter({
    name: "apiserver_storage_transformation_operations_total",
    help: "Stored values that were encrypted or decrypted, by provider and outcome.",
    labels: ["transformation_type", "transformer_prefix", "status"],
  });
  const durations = metrics.histogram({
    name: "apiserver_storage_transformation_duration_seconds",
    help: "Time in seconds that encrypting and decrypting a stored value took.",
    labels: ["transformation_type"],
    bounds: durationBounds,
  });
  const misses = metrics
    .counter({
      name: "apiserver_storage_envelope_transformation_cache_misses_total",
      help: "Reads that needed a key service, as their key was not at hand.",
      labels: [],
    })
    .with();
  return {
    transformed(direction, prefix, milliseconds, isOk) {
      // Kubernetes has a gRPC code here.
      operations.with(direction, prefix, isOk ? "OK" : "Unknown").value++;
      durations.with(direction).observe(milliseconds / 1000);
    },
    keyMissed() {
      misses.value++;
    },
  };
}
