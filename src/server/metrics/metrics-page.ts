import type { Naming } from "../../naming/naming.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { type BuildInfo, versionDocument } from "../version.js";
import type { StorePoll } from "./store-poll.js";

/** The metrics of a server in Prometheus' text format. The library is loaded when they are first asked for. */
export class MetricsPage {
  readonly #naming: Naming;
  readonly #build: BuildInfo;
  readonly #poll: StorePoll;
  readonly #metrics: Metrics;
  #render: Promise<() => Promise<{ contentType: string; text: string }>> | undefined;

  constructor(parts: {
    readonly naming: Naming;
    readonly build: BuildInfo;
    readonly poll: StorePoll;
    readonly metrics: Metrics;
  }) {
    this.#naming = parts.naming;
    this.#build = parts.build;
    this.#poll = parts.poll;
    this.#metrics = parts.metrics;
  }

  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#render ??= this.#load();
    return (await this.#render)();
  }

  async #load() {
    const { collectDefaultMetrics, Gauge, Registry } = await import("./prometheus-library.js");
    const registry = new Registry();
    const registers = [registry];
    const objects = new Gauge({
      name: "apiserver_storage_objects",
      help: "Stored objects by resource at the last count; -1 where it failed.",
      labelNames: ["resource"],
      registers,
    });
    const sizes = new Gauge({
      name: `${this.#naming.storeName}_db_total_size_in_bytes`,
      help: "Bytes that the backing store occupies.",
      labelNames: ["endpoint"],
      registers,
    });
    const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate } = versionDocument(this.#build);
    const names = { major, minor, git_version: gitVersion, git_commit: gitCommit };
    const build = { ...names, git_tree_state: gitTreeState, build_date: buildDate };
    new Gauge({
      name: `${this.#naming.vendor}_build_info`,
      help: "A constant 1 with labels that say what runs.",
      labelNames: Object.keys(build),
      registers,
    }).set(build, 1);
    collectDefaultMetrics({ register: registry });
    return async () => {
      const figures = await this.#poll.figures();
      for (const [resource, count] of figures.objects) objects.set({ resource }, count);
      for (const [endpoint, bytes] of figures.sizes) sizes.set({ endpoint }, bytes);
      const text = `${printMetrics(this.#metrics.read())}${await registry.metrics()}`;
      return { contentType: registry.contentType, text };
    };
  }
}
