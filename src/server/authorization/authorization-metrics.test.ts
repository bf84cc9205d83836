import { expect, test } from "vitest";
import { type AccessQuestion, allow } from "../../apimachinery/requests/authorizer.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { AuthorizationMetrics } from "./authorization-metrics.js";

test("counting of decisions continues when the file of authorizers is reloaded", async () => {
  const metrics = new Metrics();
  const authorizationMetrics = new AuthorizationMetrics(metrics);
  const authorizer = {
    authorize: () => allow,
    rulesFor: async () => ({ resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] }),
  };
  for (const _reading of [1, 2]) {
    for (const [type, name] of [
      ["Node", "node"],
      ["RBAC", "rbac"],
    ] as const) {
      await authorizationMetrics.counted(authorizer, type, name).authorize({} as AccessQuestion);
      authorizationMetrics.webhookObserver(name).asked("success", 1, false);
    }
  }
  const lines = (await printMetrics(metrics.read())).split("\n");
  const named = (start: string) => lines.filter((line) => line.startsWith(start));
  expect(named("# TYPE apiserver_authorization_decisions_total")).toHaveLength(1);
  expect(
    named("apiserver_authorization_decisions_total{").filter((line) => line.includes("allowed")),
  ).toEqual([
    'apiserver_authorization_decisions_total{type="Node",name="node",decision="allowed"} 2',
    'apiserver_authorization_decisions_total{type="RBAC",name="rbac",decision="allowed"} 2',
  ]);
  expect(named("# TYPE apiserver_authorization_webhook_evaluations_total")).toHaveLength(1);
});
