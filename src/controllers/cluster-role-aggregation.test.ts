import { afterEach, expect, test } from "vitest";
import type { ClusterRole } from "../apis/gen/rbac-v1.js";
import { ClusterRoleAggregation } from "./cluster-role-aggregation.js";
import { TestRegistries } from "./testing/registries.js";

const running: ClusterRoleAggregation[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Roles of one rule each, `name: labels`, and a role that gathers by `selectors`. */
async function gathered(
  roles: Readonly<Record<string, Record<string, string>>>,
  selectors: readonly object[],
): Promise<() => Promise<readonly string[]>> {
  const registries = new TestRegistries(["clusterroles"]);
  const controller = new ClusterRoleAggregation(registries.context);
  running.push(controller);
  await controller.start();
  await registries.create("clusterroles", {
    metadata: { name: "all", labels: { own: "yes" } },
    aggregationRule: { clusterRoleSelectors: selectors },
    rules: [{ apiGroups: [""], resources: ["former"], verbs: ["get"] }],
  });
  for (const [name, labels] of Object.entries(roles)) {
    const rule = { apiGroups: [""], resources: [name.replace(/-.*/, "")], verbs: ["get"] };
    await registries.create("clusterroles", { metadata: { name, labels }, rules: [rule] });
  }
  return async () => {
    const stored = await registries.of("clusterroles").get("", "all", { kind: "mostRecent" });
    return ((stored.decode() as ClusterRole).rules ?? []).flatMap(({ resources = [] }) => resources);
  };
}

test("an aggregated role collects rules by the order of its selectors, then of role names, each rule once", async () => {
  const rules = await gathered(
    {
      pods: { b: "1" },
      "pods-again": { a: "1" },
      jobs: { b: "1" },
      secrets: { a: "1", b: "1" },
      nodes: { c: "1" },
    },
    [{ matchLabels: { b: "1" } }, { matchLabels: { a: "1" } }],
  );
  await expect.poll(rules).toEqual(["jobs", "pods", "secrets"]);
  const others = await gathered({ pods: { a: "1" }, jobs: { b: "1" } }, [
    { matchLabels: { a: "1" } },
    { matchExpressions: [{ key: "b", operator: "Exists" }] },
  ]);
  await expect.poll(others).toEqual(["pods", "jobs"]);
});

test("an aggregated role does not collect its own rules", async () => {
  const rules = await gathered({ pods: { own: "yes" } }, [{ matchLabels: { own: "yes" } }]);
  await expect.poll(rules).toEqual(["pods"]);
});
