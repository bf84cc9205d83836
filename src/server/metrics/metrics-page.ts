import type { Naming } from "../../naming/naming.js";
import type { Figure, MetricFamily, Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { type BuildInfo, versionDocument } from "../version.js";
import type { StorePoll } from "./store-poll.js";

/**
 * The metrics of a server in Prometheus' text format. Those of its process come from a library, which is loaded when they are first
 * asked for.
 */
export class MetricsPage {
  readonly #poll: StorePoll;
  readonly #metrics: Metrics;
  readonly #objects: MetricFamily<Figure>;
  readonly #sizes: MetricFamily<Figure>;
  #process: Promise<() => Promise<{ contentType: string; text: string }>> | undefined;

  constructor(parts: {
    readonly naming: Naming;
    readonly build: BuildInfo;
    readonly poll: StorePoll;
    readonly metrics: Metrics;
  }) {
    const { naming, metrics } = parts;
    this.#poll = parts.poll;
    this.#metrics = metrics;
    this.#objects = metrics.gauge({
      name: "apiserver_storage_objects",
      help: "Stored objects by resource at the last count; -1 where it failed.",
      labels: ["resource"],
    });
    this.#sizes = metrics.gauge({
      name: `${naming.storeName}_db_total_size_in_bytes`,
      help: "Bytes that the backing store occupies.",
      labels: ["endpoint"],
    });
    const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate } = versionDocument(parts.build);
    const names = { major, minor, git_version: gitVersion, git_commit: gitCommit };
    const build = { ...names, git_tree_state: gitTreeState, build_date: buildDate };
    const builds = metrics.gauge({
      name: `${naming.vendor}_build_info`,
      help: "A constant 1 with labels that say what runs.",
      labels: Object.keys(build),
    });
    builds.with(...Object.values(build)).value = 1;
  }

  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    const figures = await this.#poll.figures();
    for (const [resource, count] of figures.objects) this.#objects.with(resource).value = count;
    for (const [endpoint, bytes] of figures.sizes) this.#sizes.with(endpoint).value = bytes;
    this.#process ??= this.#loadProcess();
    const { contentType, text } = await (await this.#process)();
    return { contentType, text: printMetrics(this.#metrics.read()) + text };
  }

  async #loadProcess() {
    const { collectDefaultMetrics, Registry } = await import("./prometheus-library.js");
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    for (const { name } of registry.getMetricsAsArray()) {
      if (this.#metrics.isDisabled(name)) registry.removeSingleMetric(name);
    }
    return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
  }
}
