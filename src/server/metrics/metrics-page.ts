import type { Naming } from "../../naming/naming.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { ProcessMetrics } from "../../telemetry/metrics-text.js";
import { type BuildInfo, type ServerLevels, versionDocument } from "../settings/version.js";
import { groupAndResource } from "./metric-names.js";
import type { StorePoll } from "./store-poll.js";

/** The metrics of a server in Prometheus' text format, printed by a library that is loaded on first use. */
export class MetricsPage {
  readonly #poll: StorePoll;
  readonly #metrics: Metrics;
  readonly #objects: MetricFamily<Figure>;
  readonly #objectBytes: MetricFamily<Figure> | undefined;
  readonly #sizes: MetricFamily<Figure>;
  #process: ProcessMetrics | undefined;

  constructor(parts: {
    readonly naming: Naming;
    readonly build: BuildInfo;
    readonly levels: ServerLevels;
    readonly poll: StorePoll;
    readonly metrics: Metrics;
    /** Whether it includes the sizes of resources. */
    readonly estimatesSizes: boolean;
  }) {
    const { naming, metrics } = parts;
    this.#poll = parts.poll;
    this.#metrics = metrics;
    this.#objects = metrics.gauge({
      name: "apiserver_storage_objects",
      help: "Stored objects by resource at the last count; -1 where it failed.",
      labels: ["resource"],
    });
    this.#objectBytes = parts.estimatesSizes
      ? metrics.gauge({
          name: "apiserver_resource_size_estimate_bytes",
          help: "Bytes of stored objects by resource, as JSON; -1 where they are not in memory.",
          labels: ["group", "resource"],
        })
      : undefined;
    metrics.alias(`${naming.storeName}_object_counts`, { type: "gauge", family: this.#objects });
    this.#sizes = metrics.gauge({
      name: `${naming.storeName}_db_total_size_in_bytes`,
      help: "Bytes that the backing store occupies.",
      labels: ["endpoint"],
    });
    const { major, minor, compiler, platform, ...version } = versionDocument(parts.build, parts.levels);
    const build = {
      major,
      minor,
      git_version: version.gitVersion,
      git_commit: version.gitCommit,
      git_tree_state: version.gitTreeState,
      build_date: version.buildDate,
      go_version: version.goVersion,
      compiler,
      platform,
    };
    const builds = metrics.gauge({
      name: `${naming.vendor}_build_info`,
      help: "A constant 1 with labels that say what runs.",
      labels: Object.keys(build),
    });
    builds.with(...Object.values(build)).value = 1;
  }

  /** The text is made in pieces as they are requested; each takes a millisecond or two. */
  async render(): Promise<Iterable<Uint8Array | Promise<Uint8Array>>> {
    const [figures] = await Promise.all([this.#poll.figures(), this.#metrics.gather()]);
    for (const [resource, count] of figures.objects) {
      this.#objects.with(resource).value = count;
      const bytes = this.#objectBytes?.with(...groupAndResource(resource));
      if (bytes !== undefined) bytes.value = figures.objectBytes.get(resource) ?? -1;
    }
    for (const { values } of this.#objects.children()) {
      const [resource = ""] = values;
      if (figures.objects.has(resource)) continue;
      this.#objects.remove(...values);
      this.#objectBytes?.remove(...groupAndResource(resource));
    }
    for (const [endpoint, bytes] of figures.sizes) this.#sizes.with(endpoint).value = bytes;
    const { metricsPieces, startProcessMetrics } = await import("../../telemetry/metrics-text.js");
    this.#process ??= startProcessMetrics((name) => this.#metrics.isDisabled(name));
    return pieces(metricsPieces(this.#metrics.read()), this.#process);
  }
}

function* pieces(
  counted: Iterable<Promise<string>>,
  process: ProcessMetrics,
): Generator<Promise<Uint8Array>, void, void> {
  for (const piece of counted) yield piece.then((text) => Buffer.from(text));
  yield process.print().then((text) => Buffer.from(text));
}
