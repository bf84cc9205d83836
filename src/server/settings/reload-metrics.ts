import { createHash } from "node:crypto";
import type { Metrics } from "../../telemetry/metrics.js";

/** Counts how often a changed configuration file was taken over, or not. */
export type ReloadObserver = (isOk: boolean) => void;

/** `subsystem` names the file: `authentication_config_controller`; `identity` this server among several. */
export function reloadObserver(
  metrics: Metrics,
  subsystem: string,
  { what, identity }: { readonly what: string; readonly identity: string },
): ReloadObserver {
  const id = `sha256:${createHash("sha256").update(identity).digest("hex")}`;
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
  // Most servers have no such file.
  let made: ReturnType<typeof families> | undefined;
  return (isOk) => {
    made ??= families();
    const status = isOk ? "success" : "failure";
    made.total.with(status, id).value++;
    made.last.with(status, id).value = Date.now() / 1000;
  };
}
