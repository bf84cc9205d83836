import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { labelHash } from "../../telemetry/label-hash.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { onDemand } from "../../telemetry/on-demand.js";
import { type ReloadObserver, reloadObserver } from "../settings/reload-metrics.js";

/** Receives what happens to the file of `--encryption-provider-config`. */
export interface EncryptionReloads extends ReloadObserver {
  /** A key service has a new key, and so this server has a new seed. */
  seedChanged(): void;
}

/** `taken` is called when another file, or another seed, is in use. */
export interface EncryptionReloadsOptions {
  readonly level: ApiLevel;
  /** Distinguishes this server from others. */
  readonly identity: string;
  readonly taken: () => void;
}

const subsystem = "encryption_config_controller";

/**
 * Counts how often a changed file was taken over or refused. Source of the names: apiserver `pkg/server/options/encryptionconfig/metrics`.
 */
export function encryptionReloads(
  metrics: Metrics,
  { level, identity, taken }: EncryptionReloadsOptions,
): EncryptionReloads {
  const { started, succeeded, failed } = isAtLeast(level, "1.30")
    ? reloadObserver(metrics, subsystem, { what: "encryption", identity, level })
    : earlierObserver(metrics, level, identity);
  return {
    started,
    succeeded(content) {
      succeeded(content);
      taken();
    },
    failed,
    seedChanged: taken,
  };
}

/** 1.28 and 1.29 count successes and failures in separate metrics, and earlier levels do not count. */
function earlierObserver(metrics: Metrics, level: ApiLevel, identity: string): ReloadObserver {
  const nothing = (): void => undefined;
  if (!isAtLeast(level, "1.28")) return { started: nothing, succeeded: nothing, failed: nothing };
  const named = isAtLeast(level, "1.29") ? [labelHash(identity)] : [];
  const labels = named.map(() => "apiserver_id_hash");
  const families = onDemand(() => ({
    successes: metrics.counter({
      name: `apiserver_${subsystem}_automatic_reload_success_total`,
      help: "Times that the changed configuration of encryption was taken over.",
      labels,
    }),
    failures: metrics.counter({
      name: `apiserver_${subsystem}_automatic_reload_failures_total`,
      help: "Times that the changed configuration of encryption could not be taken over.",
      labels,
    }),
    last: metrics.gauge({
      name: `apiserver_${subsystem}_automatic_reload_last_timestamp_seconds`,
      help: "When the changed configuration of encryption was last taken over, or not, by status: seconds since the epoch.",
      labels: ["status", ...labels],
    }),
  }));
  const count = (isOk: boolean): void => {
    const { successes, failures, last } = families();
    (isOk ? successes : failures).with(...named).value++;
    last.with(isOk ? "success" : "failure", ...named).value = Date.now() / 1000;
  };
  return { started: nothing, succeeded: () => count(true), failed: () => count(false) };
}
