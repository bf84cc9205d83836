import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { Distribution } from "../../telemetry/distribution.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Bytes. */
const sizeBounds = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072];
/** Seconds. */
const delayBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Events sent to the watchers of one kind in one version. */
export interface SentEvents {
  readonly events: Figure;
  readonly sizes: Distribution;
}

/** The figures of one kind in one version. */
export interface WatchFigures extends SentEvents {
  /** Number of connected watchers. */
  readonly watchers: Figure;
  /** Seconds from the commit of an event to its write to a watcher's connection. */
  readonly delays: Distribution;
}

/** Counts and measures the events sent to watchers. Source of the names: apiserver `pkg/endpoints/metrics`, version 1.23. */
export class WatchMetrics {
  readonly #events: MetricFamily<Figure>;
  readonly #sizes: MetricFamily<Distribution>;
  /** By group and kind. */
  readonly #children = new Map<string, MetricChildren>();
  readonly #watchers: MetricFamily<Figure>;
  readonly #delays: MetricFamily<Distribution>;

  /** By what events are told apart within a version. */
  readonly #named: "kind" | "resource";

  constructor(metrics: Metrics, level: ApiLevel) {
    this.#named = isAtLeast(level, "1.34") ? "resource" : "kind";
    const labels = ["group", "version", this.#named];
    this.#events = metrics.counter({
      name: "apiserver_watch_events_total",
      help: "Events sent to watchers.",
      labels,
    });
    this.#sizes = metrics.histogram({
      name: "apiserver_watch_events_sizes",
      help: "Bytes of the events sent to watchers.",
      labels,
      bounds: sizeBounds,
    });
    this.#watchers = metrics.gauge({
      name: "apiserver_registered_watchers",
      help: "Watchers that are connected.",
      labels: ["group", "version", "kind"],
    });
    this.#delays = metrics.histogram({
      name: "apiserver_watch_events_dispatch_duration_seconds",
      help: "Seconds from the commit of an event to its write to the connection of a watcher.",
      labels: ["group", "resource", "stage"],
      bounds: delayBounds,
    });
  }

  of({ definition, version }: Pick<VersionedView<ApiObject>, "definition" | "version">): WatchFigures {
    const { group, kind } = definition;
    const ofEvents = [group, version.version, definition[this.#named]];
    const key = keyOf(definition);
    const children = this.#children.get(key) ?? new MetricChildren();
    this.#children.set(key, children);
    return {
      events: children.of(this.#events, ...ofEvents),
      sizes: children.of(this.#sizes, ...ofEvents),
      watchers: children.of(this.#watchers, group, version.version, kind),
      delays: children.of(this.#delays, group, definition.resource, "total"),
    };
  }

  /** Removes the counts of a kind that is no longer served. */
  drop(kind: GroupKind): void {
    const key = keyOf(kind);
    this.#children.get(key)?.drop();
    this.#children.delete(key);
  }
}

function keyOf({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}
