import { createHash } from "node:crypto";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Receives what happens to a configuration file that the server follows. */
export interface ReloadObserver {
  /** `content` is what the server starts with. */
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

/** Counts how often a changed file was taken over or refused. `subsystem` names the file: `authentication_config_controller`. */
export function reloadObserver(
  metrics: Metrics,
  subsystem: string,
  followed: FollowedConfiguration,
): ReloadObserver {
  const { what } = followed;
  const id = hashOf(followed.identity);
  const labels = ["status", "apiserver_id_hash"];
  const families = () => ({
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
  });
  // Made on demand, because most servers have no such file.
  let made: ReturnType<typeof families> | undefined;
  const count = (status: "success" | "failure"): void => {
    made ??= families();
    made.total.with(status, id).value++;
    made.last.with(status, id).value = Date.now() / 1000;
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
  const id = hashOf(identity);
  const family = () =>
    metrics.gauge({
      name: `apiserver_${subsystem}_last_config_info`,
      help: `The configuration of ${what} that is in use, by its hash.`,
      labels: ["apiserver_id_hash", "hash"],
    });
  let info: ReturnType<typeof family> | undefined;
  let shown: string | undefined;
  return (content) => {
    info ??= family();
    if (shown !== undefined) info.remove(id, shown);
    shown = hashOf(content);
    info.with(id, shown).value = 1;
  };
}

/** In the form of metric labels: `sha256:` and the digest in hexadecimal. */
export function hashOf(content: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
