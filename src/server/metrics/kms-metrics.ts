import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { grpcCodeName } from "../../storage/grpc/grpc-metrics.js";
import { hashOf } from "../../storage/transform/key-source.js";
import type { KmsObserver } from "../../storage/transform/transformation-observer.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { exponentialBuckets } from "./exponential-buckets.js";

/** Seconds: from a tenth of a millisecond. */
const callBounds = exponentialBuckets(0.0001, 20);
/** Maximum sets of labels that name a key, because services keep changing their keys. */
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
  const server = isAtLeast(level, "1.29") ? [hashOf(identity)] : [];
  const ofServer = server.map(() => "apiserver_id_hash");
  const families = () => ({
    calls: metrics.histogram({
      name: "apiserver_envelope_encryption_kms_operations_latency_seconds",
      help: "Time in seconds of calls to key services, by gRPC's status code.",
      labels: ["provider_name", "method_name", "grpc_status_code"],
      bounds: callBounds,
    }),
    uses: metrics.counter({
      name: "apiserver_envelope_encryption_key_id_hash_total",
      help: "How often a key of a key service was used.",
      labels: ["transformation_type", "provider_name", "key_id_hash", ...ofServer],
    }),
    lastUse: metrics.gauge({
      name: "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds",
      help: "When a key of a key service was last used: seconds since the epoch.",
      labels: ["transformation_type", "provider_name", "key_id_hash", ...ofServer],
    }),
    lastStatus: metrics.gauge({
      name: "apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds",
      help: "When the status of a key service last named a key: seconds since the epoch.",
      labels: ["provider_name", "key_id_hash", ...ofServer],
    }),
    refused: metrics.counter({
      name: "apiserver_envelope_encryption_invalid_key_id_from_status_total",
      help: "How often the status of a key service named no key, or one with too long an ID.",
      labels: ["provider_name", "error"],
    }),
    known: isAtLeast(level, "1.29")
      ? metrics.gauge({
          name: "apiserver_envelope_encryption_dek_source_cache_size",
          help: "Decrypted keys that are remembered, about as many as a new start would ask the key service for.",
          labels: ["provider_name"],
        })
      : undefined,
  });
  // Made on demand, because most servers have no key service.
  let made:
    | (ReturnType<typeof families> & { readonly used: RecentLabels; readonly seen: RecentLabels })
    | undefined;
  const make = () => {
    const all = families();
    return {
      ...all,
      used: new RecentLabels([all.uses, all.lastUse]),
      seen: new RecentLabels([all.lastStatus]),
    };
  };
  return (service) => {
    made ??= make();
    const { calls, uses, lastUse, lastStatus, refused, known, used, seen } = made;
    return {
      called(method, milliseconds, status) {
        calls.with(service, method, grpcCodeName(status)).observe(milliseconds / 1000);
      },
      keyUsed(direction, keyId) {
        const labels = [direction, service, hashOf(keyId), ...server];
        used.add(labels);
        uses.with(...labels).value++;
        lastUse.with(...labels).value = Date.now() / 1000;
      },
      keyIdSeen(keyId) {
        const labels = [service, hashOf(keyId), ...server];
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

/** Removes the labels that have not been counted for the longest time. */
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
