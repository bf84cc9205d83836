import type {
  ConditionsOwner,
  EnforcementAction,
  PolicyCheck,
  PolicyObserver,
} from "../../admission/policies/policy-observer.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { onDemand } from "../../telemetry/on-demand.js";

const checkSeconds = [0.000_000_5, 0.001, 0.01, 0.1, 1];
const conditionSeconds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/**
 * Counts admission policies and match conditions. Families are created when something is counted, at levels that have them. Source of the
 * names: apiserver `pkg/admission`.
 */
export function policyMetrics(metrics: Metrics, level: ApiLevel): PolicyObserver {
  const validating = onDemand(() => checkFamilies(metrics, "validating", validatingLabels(level)));
  const mutating = onDemand(() =>
    checkFamilies(metrics, "mutating", ["policy", "policy_binding", "error_type"]),
  );
  const conditions = onDemand(() => conditionFamilies(metrics, level));
  const hasErrorTypes = isAtLeast(level, "1.31");
  const countsConditions = isAtLeast(level, "1.27");
  const describesConditions = isAtLeast(level, "1.28");
  const countsMutations = isAtLeast(level, "1.34");
  return {
    now: () => performance.now(),
    validated({ policy, binding, errorType, durationMs }: PolicyCheck, action: EnforcementAction) {
      const labels = hasErrorTypes
        ? [policy, binding, errorType, action]
        : [policy, binding, action, "active"];
      validating().count(labels, durationMs);
    },
    mutated({ policy, binding, errorType, durationMs }) {
      if (countsMutations) mutating().count([policy, binding, errorType], durationMs);
    },
    conditionsNotMet(owner, durationMs, errors) {
      if (!countsConditions) return;
      const labels = conditionLabels(owner, describesConditions);
      const { failures, durations } = conditions();
      if (errors > 0) failures.with(...labels).value += errors;
      durations?.with(...labels).observe(durationMs / 1000);
    },
    excluded({ kind, name, operation }) {
      if (!describesConditions) return;
      const type = kind === "validating" ? "validate" : kind;
      const { exclusions } = conditions();
      if (exclusions !== undefined) exclusions.with(name, "webhook", type, operation).value++;
    },
  };
}

function validatingLabels(level: ApiLevel): readonly string[] {
  return isAtLeast(level, "1.31")
    ? ["policy", "policy_binding", "error_type", "enforcement_action"]
    : ["policy", "policy_binding", "enforcement_action", "state"];
}

function checkFamilies(metrics: Metrics, kind: "validating" | "mutating", labels: readonly string[]) {
  const prefix = `apiserver_${kind}_admission_policy_check`;
  const total = metrics.counter({
    name: `${prefix}_total`,
    help: `Checks of ${kind} admission policies that did something, by binding.`,
    labels,
  });
  const seconds = metrics.histogram({
    name: `${prefix}_duration_seconds`,
    help: `Time that these checks of ${kind} admission policies took.`,
    labels,
    bounds: checkSeconds,
  });
  return {
    count(values: readonly string[], durationMs: number): void {
      total.with(...values).value++;
      seconds.with(...values).observe(durationMs / 1000);
    },
  };
}

function conditionFamilies(metrics: Metrics, level: ApiLevel) {
  const isFirst = !isAtLeast(level, "1.28");
  const labels = isFirst ? ["name", "type"] : ["name", "kind", "type", "operation"];
  const prefix = isFirst ? "apiserver_admission_admission" : "apiserver_admission";
  return {
    failures: metrics.counter({
      name: `${prefix}_match_condition_evaluation_errors_total`,
      help: "Match conditions of webhooks and policies that could not be evaluated.",
      labels,
    }),
    exclusions: isFirst
      ? undefined
      : metrics.counter({
          name: `${prefix}_match_condition_exclusions_total`,
          help: "Webhooks that were not called because of their match conditions.",
          labels,
        }),
    durations: isFirst
      ? undefined
      : metrics.histogram({
          name: `${prefix}_match_condition_evaluation_seconds`,
          help: "Time that match conditions took of which not all were true.",
          labels,
          bounds: conditionSeconds,
        }),
  };
}

function conditionLabels({ kind, name, operation }: ConditionsOwner, isDescribed: boolean): string[] {
  if (!isDescribed) return [name, kind === "policy" ? "validatingadmissionpolicy" : kind];
  return kind === "policy" ? [name, kind, "validate", operation] : [name, "webhook", kind, operation];
}
