import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { labelHash } from "../../telemetry/label-hash.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { onDemand } from "../../telemetry/on-demand.js";

/** Notified of the changes of a configuration file that the server watches. */
export interface ReloadObserver {
  /** `content`: what the server starts with. */
  started(content: Uint8Array): void;
  succeeded(content: Uint8Array): void;
  failed(): void;
}

export interface FollowedConfiguration {
  /** What the file configures, for the help of the metrics. */
  readonly what: string;
  /** Distinguishes this server from others. */
  readonly identity: string;
  readonly level: ApiLevel;
}

/** Counts how often a changed file was applied or refused. `subsystem` names the file: `authentication_config_controller`. */
export function reloadObserver(
  metrics: Metrics,
  subsystem: string,
  followed: FollowedConfiguration,
): ReloadObserver {
  const { what } = followed;
  const id = labelHash(followed.identity);
  const labels = ["status", "apiserver_id_hash"];
  const families = onDemand(() => ({
    total: metrics.counter({
      name: `apiserver_${subsystem}_automatic_reloads_total`,
      help: `Times that the changed configuration of ${what} was taken over, or not, by status.`,
      labels,
    }),
    last: metrics.gauge({
      name: `apiserver_${subsystem}_automatic_reload_last_timestamp_seconds`,
      help: `When the changed configuration of ${what} was last taken over, or not, by status: seconds since the epoch.`,
      labels,
    }),
  }));
  const count = (status: "success" | "failure"): void => {
    const { total, last } = families();
    total.with(status, id).value++;
    last.with(status, id).value = Date.now() / 1000;
  };
  const inUse = configInfo(metrics, subsystem, followed);
  return {
    started: inUse,
    succeeded(content) {
      inUse(content);
      count("success");
    },
    failed: () => count("failure"),
  };
}

/** Names the file in use by its hash, from 1.34 on. */
function configInfo(
  metrics: Metrics,
  subsystem: string,
  { what, identity, level }: FollowedConfiguration,
): (content: Uint8Array) => void {
  if (!isAtLeast(level, "1.34")) return () => undefined;
  const id = labelHash(identity);
  const info = onDemand(() =>
    metrics.gauge({
      name: `apiserver_${subsystem}_last_config_info`,
      help: `The configuration of ${what} that is in use, by its hash.`,
      labels: ["apiserver_id_hash", "hash"],
    }),
  );
  let shown: string | undefined;
  return (content) => {
    if (shown !== undefined) info().remove(id, shown);
    shown = labelHash(content);
    info().with(id, shown).value = 1;
  };
}
