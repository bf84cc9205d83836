import type { AdmissionOperation } from "../../admission/chain/admission-attributes.js";
import type { AdmissionObserver, AdmissionStep, Timing } from "../../admission/chain/admission-observer.js";
import type { WebhookOutcome } from "../../admission/webhooks/webhook-caller.js";
import type { MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

const seconds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const webhookSeconds = [...seconds, 10, 25];
/** Webhooks choose the code; higher ones are counted together, as in Kubernetes. */
const codeMax = 600;
const labels = ["name", "type", "operation", "rejected"];

interface Observed {
  observe(seconds: number): void;
}

/** Metrics of admission plugins and webhooks, by the names of kube-apiserver 1.23. */
export class AdmissionMetrics implements AdmissionObserver {
  readonly #plugins;
  readonly #steps;
  readonly #stepSummaries;
  readonly #webhooks;
  readonly #requests;
  readonly #rejections;
  readonly #failOpens;

  constructor(metrics: Metrics) {
    this.#plugins = metrics.histogram({
      name: "apiserver_admission_controller_admission_duration_seconds",
      help: "Time that admission plugins took.",
      labels,
      bounds: seconds,
    });
    this.#steps = metrics.histogram({
      name: "apiserver_admission_step_admission_duration_seconds",
      help: "Time that all plugins of a step of admission took together.",
      labels: ["type", "operation", "rejected"],
      bounds: seconds,
    });
    this.#stepSummaries = metrics.summary({
      name: "apiserver_admission_step_admission_duration_seconds_summary",
      help: "Quantiles of the time that all plugins of a step of admission took together, of the last five hours.",
      labels: ["type", "operation", "rejected"],
      quantiles: [0.5, 0.9, 0.99],
      maxAgeMs: 5 * 3_600_000,
    });
    this.#webhooks = metrics.histogram({
      name: "apiserver_admission_webhook_admission_duration_seconds",
      help: "Time that calls to admission webhooks took.",
      labels,
      bounds: webhookSeconds,
    });
    this.#requests = metrics.counter({
      name: "apiserver_admission_webhook_request_total",
      help: "Calls to admission webhooks, by the code of the answer.",
      labels: ["name", "type", "operation", "code", "rejected"],
    });
    this.#rejections = metrics.counter({
      name: "apiserver_admission_webhook_rejection_count",
      help: "Requests that were refused for an admission webhook, by the kind of error.",
      labels: ["name", "type", "operation", "error_type", "rejection_code"],
    });
    this.#failOpens = metrics.counter({
      name: "apiserver_admission_webhook_fail_open_count",
      help: "Requests that passed although a webhook failed.",
      labels: ["name", "type"],
    });
  }

  now(): number {
    return performance.now();
  }

  plugin(name: string, step: AdmissionStep, operation: AdmissionOperation): Timing {
    return timing(this.#plugins, name, step, operation);
  }

  step(step: AdmissionStep, operation: AdmissionOperation): Timing {
    const inRanges = timing(this.#steps, step, operation);
    const inQuantiles = timing(this.#stepSummaries, step, operation);
    return (durationMs, isRejected) => {
      inRanges(durationMs, isRejected);
      inQuantiles(durationMs, isRejected);
    };
  }

  webhook({ webhook, type, operation, durationMs, result }: WebhookOutcome): void {
    const isRejected = result.kind !== "allowed" && result.kind !== "ignored";
    this.#webhooks.with(webhook, type, operation, String(isRejected)).observe(durationMs / 1000);
    this.#requests.with(webhook, type, operation, codeOf(result), String(isRejected)).value++;
    if (result.kind === "ignored") this.#failOpens.with(webhook, type).value++;
    if (!isRejected) return;
    const error = {
      denied: "no_error",
      failed: "calling_webhook_error",
      broken: "apiserver_internal_error",
    }[result.kind];
    const code = result.kind === "denied" ? codeOf(result) : "0";
    this.#rejections.with(webhook, type, operation, error, code).value++;
  }
}

/** Children are created on first use: a metric is not shown before something has happened. */
function timing(family: MetricFamily<Observed>, ...values: readonly string[]): Timing {
  let admitted: Observed | undefined;
  let rejected: Observed | undefined;
  return (durationMs, isRejected) => {
    if (isRejected) {
      rejected ??= family.with(...values, "true");
      rejected.observe(durationMs / 1000);
    } else {
      admitted ??= family.with(...values, "false");
      admitted.observe(durationMs / 1000);
    }
  };
}

/** As in Kubernetes: 400 for a failed call, 0 for an error of the server itself. */
function codeOf(result: WebhookOutcome["result"]): string {
  switch (result.kind) {
    case "allowed":
      return "200";
    case "denied":
      return String(Math.min(result.code, codeMax));
    case "broken":
      return "0";
    default:
      return "400";
  }
}
