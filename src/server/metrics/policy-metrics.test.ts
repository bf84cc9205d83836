import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { policyMetrics } from "./policy-metrics.js";

async function counted(level: ApiLevel): Promise<string[]> {
  const metrics = new Metrics();
  const observer = policyMetrics(metrics, level);
  expect(await lines(metrics)).toEqual([]);
  const check = { policy: "p", binding: "b", errorType: "invalid_error", durationMs: 5 } as const;
  observer.validated(check, "deny");
  observer.mutated(check);
  const operation = "CREATE";
  observer.conditionsNotMet({ kind: "policy", name: "p", operation }, 5, 2);
  observer.conditionsNotMet({ kind: "validating", name: "w", operation }, 5, 0);
  observer.excluded({ kind: "validating", name: "w", operation });
  return await lines(metrics);
}

/** All lines but the buckets and sums. */
async function lines(metrics: Metrics): Promise<string[]> {
  const text = await printMetrics(metrics.read());
  return text.split("\n").filter((line) => /^apiserver_.*(_total|_count)\{/.test(line));
}

const admission = "apiserver_admission_match_condition";
const mutating = "apiserver_mutating_admission_policy_check";
const validating = "apiserver_validating_admission_policy_check";

const conditions = [
  `${admission}_evaluation_errors_total{name="p",kind="policy",type="validate",operation="CREATE"} 2`,
  `${admission}_exclusions_total{name="w",kind="webhook",type="validate",operation="CREATE"} 1`,
  `${admission}_evaluation_seconds_count{name="p",kind="policy",type="validate",operation="CREATE"} 1`,
  `${admission}_evaluation_seconds_count{name="w",kind="webhook",type="validating",operation="CREATE"} 1`,
];
const withState = [
  `${validating}_total{policy="p",policy_binding="b",enforcement_action="deny",state="active"} 1`,
  `${validating}_duration_seconds_count{policy="p",policy_binding="b",enforcement_action="deny",state="active"} 1`,
];
const withErrorType = [
  `${validating}_total{policy="p",policy_binding="b",error_type="invalid_error",enforcement_action="deny"} 1`,
  `${validating}_duration_seconds_count{policy="p",policy_binding="b",error_type="invalid_error",enforcement_action="deny"} 1`,
];
const mutations = [
  `${mutating}_total{policy="p",policy_binding="b",error_type="invalid_error"} 1`,
  `${mutating}_duration_seconds_count{policy="p",policy_binding="b",error_type="invalid_error"} 1`,
];

test.each<[ApiLevel, readonly string[]]>([
  ["1.26", withState],
  [
    "1.27",
    [
      ...withState,
      'apiserver_admission_admission_match_condition_evaluation_errors_total{name="p",type="validatingadmissionpolicy"} 2',
    ],
  ],
  ["1.28", [...withState, ...conditions]],
  ["1.30", [...withState, ...conditions]],
  ["1.31", [...withErrorType, ...conditions]],
  ["1.33", [...withErrorType, ...conditions]],
  ["1.34", [...withErrorType, ...mutations, ...conditions]],
  ["1.36", [...withErrorType, ...mutations, ...conditions]],
])("at %s", async (level, expected) => {
  expect([...(await counted(level))].sort()).toEqual([...expected].sort());
});
