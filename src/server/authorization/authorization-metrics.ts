import type { WebhookAuthorizerObserver } from "../../access/authorization/webhook-authorizer.js";
import type { Authorizer, Decision } from "../../apimachinery/requests/authorizer.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Seconds. */
const webhookBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];
const conditionBounds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** Metrics of authorizers by type and name. Source of the names: apiserver `pkg/authorization/metrics`, `pkg/authorization/cel`. */
export class AuthorizationMetrics {
  readonly #decisions: MetricFamily<Figure>;
  readonly #webhooks: ReturnType<typeof webhookFamilies>;

  constructor(metrics: Metrics) {
    this.#decisions = metrics.counter({
      name: "apiserver_authorization_decisions_total",
      help: "Decisions of authorizers, by their type and name: allowed or denied.",
      labels: ["type", "name", "decision"],
    });
    this.#webhooks = webhookFamilies(metrics);
  }

  /** Wraps an authorizer to count its decisions. */
  counted(authorizer: Authorizer, type: string, name: string): Authorizer {
    const allowed = this.#decisions.with(type, name, "allowed");
    const denied = this.#decisions.with(type, name, "denied");
    const count = (decision: Decision): Decision => {
      if (decision.kind === "allow") allowed.value++;
      else if (decision.kind === "deny") denied.value++;
      return decision;
    };
    return {
      authorize(question) {
        const decision = authorizer.authorize(question);
        return decision instanceof Promise ? decision.then(count) : count(decision);
      },
      rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
    };
  }

  webhookObserver(name: string): WebhookAuthorizerObserver {
    const { evaluations, durations, open, exclusions, errors, conditions } = this.#webhooks;
    return {
      asked(result, milliseconds, failedOpen) {
        evaluations.with(name, result).value++;
        durations.with(name, result).observe(milliseconds / 1000);
        if (failedOpen) open.with(name, result).value++;
      },
      matched(verdict, milliseconds) {
        conditions.with("Webhook", name).observe(milliseconds / 1000);
        if (verdict === "notMet") exclusions.with("Webhook", name).value++;
        if (verdict === "failed") errors.with("Webhook", name).value++;
      },
    };
  }
}

function webhookFamilies(metrics: Metrics) {
  const labels = ["name", "result"];
  const typed = ["type", "name"];
  const webhook = "apiserver_authorization_webhook";
  const condition = "apiserver_authorization_match_condition";
  return {
    evaluations: metrics.counter({
      name: `${webhook}_evaluations_total`,
      help: "Calls of authorization webhooks, by name and outcome.",
      labels,
    }),
    durations: metrics.histogram({
      name: `${webhook}_duration_seconds`,
      help: "Time in seconds that calls of authorization webhooks took, by name and outcome.",
      labels,
      bounds: webhookBounds,
    }),
    open: metrics.counter({
      name: `${webhook}_evaluations_fail_open_total`,
      help: "Calls of authorization webhooks that failed and left the decision to others, by name and outcome.",
      labels,
    }),
    exclusions: metrics.counter({
      name: `${condition}_exclusions_total`,
      help: "Requests about which an authorizer was not asked because of its match conditions.",
      labels: typed,
    }),
    errors: metrics.counter({
      name: `${condition}_evaluation_errors_total`,
      help: "Match conditions of authorizers that could not be evaluated.",
      labels: typed,
    }),
    conditions: metrics.histogram({
      name: `${condition}_evaluation_seconds`,
      help: "Time in seconds that the match conditions of authorizers took.",
      labels: typed,
      bounds: conditionBounds,
    }),
  };
}
