import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { grpcCodeName } from "../../storage/grpc/grpc-metrics.js";
import { keyIdHash } from "../../storage/transform/key-source.js";
import type { KmsObserver } from "../../storage/transform/transformation-observer.js";
import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import { labelHash } from "../../telemetry/label-hash.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { onDemand } from "../../telemetry/on-demand.js";

/** Seconds: from a tenth of a millisecond. */
const callBounds = exponentialBuckets(0.0001, 20);
/** Limit of label sets that name a key, because services rotate their keys. */
const keysMax = 100;

const none: KmsObserver = {
  called: () => undefined,
  keyUsed: () => undefined,
  keyIdSeen: () => undefined,
  keyIdRefused: () => undefined,
  keysKnown: () => undefined,
};

/** Counts for each key service of version 2. Source of the names: apiserver `pkg/storage/value/encrypt/envelope/metrics`. */
export function kmsMetrics(
  metrics: Metrics,
  { level, identity }: { readonly level: ApiLevel; readonly identity: string },
): (service: string) => KmsObserver {
  if (!isAtLeast(level, "1.27")) return () => none;
  const server = isAtLeast(level, "1.29") ? [labelHash(identity)] : [];
  const families = onDemand(() => kmsFamilies(metrics, level));
  return (service) => {
    const { calls, uses, lastUse, lastStatus, refused, known, used, seen } = families();
    return {
      called(method, milliseconds, status) {
        calls.with(service, method, grpcCodeName(status)).observe(milliseconds / 1000);
      },
      keyUsed(direction, keyId) {
        const labels = [direction, service, keyIdHash(keyId), ...server];
        used.add(labels);
        uses.with(...labels).value++;
        lastUse.with(...labels).value = Date.now() / 1000;
      },
      keyIdSeen(keyId) {
        const labels = [service, keyIdHash(keyId), ...server];
        seen.add(labels);
        lastStatus.with(...labels).value = Date.now() / 1000;
      },
      keyIdRefused(code) {
        refused.with(service, code).value++;
      },
      keysKnown(keys) {
        if (known !== undefined) known.with(service).value = keys;
      },
    };
  };
}

function kmsFamilies(metrics: Metrics, level: ApiLevel) {
  const ofServer = isAtLeast(level, "1.29") ? ["apiserver_id_hash"] : [];
  const calls = metrics.histogram({
    name: "apiserver_envelope_encryption_kms_operations_latency_seconds",
    help: "Time in seconds of calls to key services, by gRPC's status code.",
    labels: ["provider_name", "method_name", "grpc_status_code"],
    bounds: callBounds,
  });
  const uses = metrics.counter({
    name: "apiserver_envelope_encryption_key_id_hash_total",
    help: "How often a key of a key service was used.",
    labels: ["transformation_type", "provider_name", "key_id_hash", ...ofServer],
  });
  const lastUse = metrics.gauge({
    name: "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds",
    help: "When a key of a key service was last used: seconds since the epoch.",
    labels: ["transformation_type", "provider_name", "key_id_hash", ...ofServer],
  });
  const lastStatus = metrics.gauge({
    name: "apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds",
    help: "When the status of a key service last named a key: seconds since the epoch.",
    labels: ["provider_name", "key_id_hash", ...ofServer],
  });
  const refused = metrics.counter({
    name: "apiserver_envelope_encryption_invalid_key_id_from_status_total",
    help: "How often the status of a key service named no key, or one with too long an ID.",
    labels: ["provider_name", "error"],
  });
  const known = isAtLeast(level, "1.29")
    ? metrics.gauge({
        name: "apiserver_envelope_encryption_dek_source_cache_size",
        help: "Decrypted keys that are remembered, about as many as a new start would ask the key service for.",
        labels: ["provider_name"],
      })
    : undefined;
  const used = new RecentLabels([uses, lastUse]);
  const seen = new RecentLabels([lastStatus]);
  return { calls, uses, lastUse, lastStatus, refused, known, used, seen };
}

/** Removes the label sets that were not used for the longest time. */
class RecentLabels {
  readonly #families: readonly MetricFamily<Figure>[];
  /** The longest unused first. */
  readonly #labels = new Map<string, readonly string[]>();

  constructor(families: readonly MetricFamily<Figure>[]) {
    this.#families = families;
  }

  add(labels: readonly string[]): void {
    const key = labels.join("\0");
    this.#labels.delete(key);
    this.#labels.set(key, labels);
    if (this.#labels.size <= keysMax) return;
    const oldest = this.#labels.entries().next();
    if (oldest.done) return;
    const [first, values] = oldest.value;
    this.#labels.delete(first);
    for (const family of this.#families) family.remove(...values);
  }
}
