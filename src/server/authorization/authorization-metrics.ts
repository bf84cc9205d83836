import type { WebhookAuthorizerObserver } from "../../access/authorization/webhook-authorizer.js";
import type { Authorizer, Decision } from "../../apimachinery/requests/authorizer.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Seconds. */
const webhookBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];
const conditionBounds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** Metrics of authorizers by type and name. Source of the names: apiserver `pkg/authorization/metrics`, `pkg/authorization/cel`. */
export class AuthorizationMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** The same authorizer, with its decisions counted. */
  counted(authorizer: Authorizer, type: string, name: string): Authorizer {
    const decisions = this.#metrics.counter({
      name: "apiserver_authorization_decisions_total",
      help: "Decisions of authorizers, by their type and name: allowed or denied.",
      labels: ["type", "name", "decision"],
    });
    const allowed = decisions.with(type, name, "allowed");
    const denied = decisions.with(type, name, "denied");
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
    const labels = ["name", "result"];
    const prefix = "apiserver_authorization_webhook";
    const evaluations = this.#metrics.counter({
      name: `${prefix}_evaluations_total`,
      help: "Calls of authorization webhooks, by name and outcome.",
      labels,
    });
    const durations = this.#metrics.histogram({
      name: `${prefix}_duration_seconds`,
      help: "Time in seconds that calls of authorization webhooks took, by name and outcome.",
      labels,
      bounds: webhookBounds,
    });
    const open = this.#metrics.counter({
      name: `${prefix}_evaluations_fail_open_total`,
      help: "Calls of authorization webhooks that failed and left the decision to others, by name and outcome.",
      labels,
    });
    const typed = ["type", "name"];
    const exclusions = this.#metrics.counter({
      name: "apiserver_authorization_match_condition_exclusions_total",
      help: "Requests about which an authorizer was not asked because of its match conditions.",
      labels: typed,
    });
    const errors = this.#metrics.counter({
      name: "apiserver_authorization_match_condition_evaluation_errors_total",
      help: "Match conditions of authorizers that could not be evaluated.",
      labels: typed,
    });
    const conditions = this.#metrics.histogram({
      name: "apiserver_authorization_match_condition_evaluation_seconds",
      help: "Time in seconds that the match conditions of authorizers took.",
      labels: typed,
      bounds: conditionBounds,
    });
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
