import { createHash } from "node:crypto";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { reloadObserver } from "../settings/reload-metrics.js";

/** Is told of the files of `--encryption-provider-config`. */
export interface EncryptionReloads {
  started(content: Uint8Array): void;
  succeeded(content: Uint8Array): void;
  failed(): void;
  /** A key service has a new key of its own, so that there is another seed. */
  seedChanged(): void;
}

/** `taken` is called when another file, or another seed, is in use. */
export interface EncryptionReloadsOptions {
  readonly level: ApiLevel;
  /** Of this server among several. */
  readonly identity: string;
  readonly taken: () => void;
}

const subsystem = "encryption_config_controller";

/** Counts how often a changed file was taken over, or not. Source of the names: apiserver `pkg/server/options/encryptionconfig/metrics`. */
export function encryptionReloads(
  metrics: Metrics,
  { level, identity, taken }: EncryptionReloadsOptions,
): EncryptionReloads {
  const count = counter(metrics, level, identity);
  const inUse = configInfo(metrics, level, identity);
  return {
    started: inUse,
    succeeded(content) {
      inUse(content);
      count(true);
      taken();
    },
    failed: () => count(false),
    seedChanged: taken,
  };
}

function counter(metrics: Metrics, level: ApiLevel, identity: string): (isOk: boolean) => void {
  if (isAtLeast(level, "1.30")) return reloadObserver(metrics, subsystem, { what: "encryption", identity });
  if (!isAtLeast(level, "1.28")) return () => undefined;
  const named = isAtLeast(level, "1.29") ? [idHash(identity)] : [];
  const labels = named.map(() => "apiserver_id_hash");
  const families = () => ({
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
  });
  let made: ReturnType<typeof families> | undefined;
  return (isOk) => {
    made ??= families();
    (isOk ? made.successes : made.failures).with(...named).value++;
    made.last.with(isOk ? "success" : "failure", ...named).value = Date.now() / 1000;
  };
}

/** Names the file in use by its hash, from 1.34 on. */
function configInfo(metrics: Metrics, level: ApiLevel, identity: string): (content: Uint8Array) => void {
  if (!isAtLeast(level, "1.34")) return () => undefined;
  const id = idHash(identity);
  const family = () =>
    metrics.gauge({
      name: `apiserver_${subsystem}_last_config_info`,
      help: "The configuration of encryption that is in use, by its hash.",
      labels: ["apiserver_id_hash", "hash"],
    });
  let info: ReturnType<typeof family> | undefined;
  let shown: string | undefined;
  return (content) => {
    info ??= family();
    if (shown !== undefined) info.remove(id, shown);
    shown = hash(content);
    info.with(id, shown).value = 1;
  };
}

function idHash(identity: string): string {
  return hash(Buffer.from(identity));
}

function hash(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
