import type { ManifestPlugin } from "../../admission/manifests/manifests.js";
import { labelHash } from "../../telemetry/label-hash.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { systemClock } from "../../time/clock.js";

/** Called with the hash of files that were loaded; undefined if changed files could not be used. */
export type ManifestObserver = (plugin: ManifestPlugin, hash: string | undefined) => void;

/** Counts changes of static manifests of admission plugins. `identity` distinguishes this server from others. Source: KEP-5793. */
export function manifestMetrics(metrics: Metrics, identity: string): ManifestObserver {
  const id = labelHash(identity);
  const prefix = "apiserver_manifest_admission_config_controller_";
  const labels = ["status", "plugin", "apiserver_id_hash"];
  const total = metrics.counter({
    name: `${prefix}automatic_reloads_total`,
    help: "Times that the files of an admission plugin were taken over, or not, by status.",
    labels,
  });
  const last = metrics.gauge({
    name: `${prefix}automatic_reload_last_timestamp_seconds`,
    help: "When the files of an admission plugin were last taken over, or not, by status: seconds since the epoch.",
    labels,
  });
  const info = metrics.gauge({
    name: `${prefix}last_config_info`,
    help: "1 for the files of each admission plugin that are in force, by their hash.",
    labels: ["plugin", "apiserver_id_hash", "hash"],
  });
  const hashes = new Map<ManifestPlugin, string>();
  return (plugin, hash) => {
    const status = hash === undefined ? "failure" : "success";
    total.with(status, plugin, id).value++;
    last.with(status, plugin, id).value = systemClock.now() / 1000;
    if (hash === undefined) return;
    const former = hashes.get(plugin);
    if (former !== undefined) info.remove(plugin, id, former);
    hashes.set(plugin, hash);
    info.with(plugin, id, hash).value = 1;
  };
}
