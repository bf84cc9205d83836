import type { WebhookOutcome } from "../../admission/webhooks/webhook-caller.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Codes are the webhook's own; above it they are counted together, as in Kubernetes. */
const codeMax = 600;

const seconds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** The metrics of admission webhooks, by the names of kube-apiserver 1.23. */
export class WebhookMetrics {
  readonly #durations;
  readonly #rejections;
  readonly #failOpens;

  constructor(metrics: Metrics) {
    this.#durations = metrics.histogram({
      name: "apiserver_admission_webhook_admission_duration_seconds",
      help: "Time that calls to admission webhooks took.",
      labels: ["name", "type", "operation", "rejected"],
      bounds: seconds,
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

  observe({ webhook, type, operation, durationMs, result }: WebhookOutcome): void {
    const isRejected = result.kind !== "allowed" && result.kind !== "ignored";
    this.#durations.with(webhook, type, operation, String(isRejected)).observe(durationMs / 1000);
    if (result.kind === "ignored") this.#failOpens.with(webhook, type).value++;
    if (!isRejected) return;
    const error = {
      denied: "no_error",
      failed: "calling_webhook_error",
      broken: "apiserver_internal_error",
    }[result.kind];
    const code = result.kind === "denied" ? String(Math.min(result.code, codeMax)) : "0";
    this.#rejections.with(webhook, type, operation, error, code).value++;
  }
}
