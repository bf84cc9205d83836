import type { AuditLevel } from "../request/audit-trail.js";
import type { Figure, MetricFamily } from "../telemetry/metric-family.js";
import type { Metrics } from "../telemetry/metrics.js";

/** Counts audit events. Source of the names: apiserver `pkg/audit`, version 1.23. */
export class AuditMetrics {
  readonly #events: Figure;
  readonly #rejected: Figure;
  readonly #levels: MetricFamily<Figure>;
  readonly #requests = new Map<AuditLevel, Figure>();
  readonly #errors: MetricFamily<Figure>;

  constructor(metrics: Metrics) {
    this.#events = metrics
      .counter({
        name: "apiserver_audit_event_total",
        help: "Audit events that were handed to the backends.",
        labels: [],
      })
      .with();
    this.#rejected = metrics
      .counter({
        name: "apiserver_audit_requests_rejected_total",
        help: "Requests that failed because their audit events could not be kept.",
        labels: [],
      })
      .with();
    this.#levels = metrics.counter({
      name: "apiserver_audit_level_total",
      help: "Requests by the level that the audit policy gives them.",
      labels: ["level"],
    });
    this.#errors = metrics.counter({
      name: "apiserver_audit_error_total",
      help: "Audit events that were lost, by the part of the backend that lost them.",
      labels: ["plugin"],
    });
  }

  event(): void {
    this.#events.value++;
  }

  rejected(): void {
    this.#rejected.value++;
  }

  level(level: AuditLevel): void {
    let requests = this.#requests.get(level);
    if (requests === undefined) {
      requests = this.#levels.with(level);
      this.#requests.set(level, requests);
    }
    requests.value++;
  }

  lost(plugin: string, eventCount: number): void {
    this.#errors.with(plugin).value += eventCount;
  }
}
