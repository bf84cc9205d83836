import { expect, test, vi } from "vitest";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { noDevices } from "../../apis/testing/no-devices.js";
import { TestRegistries } from "../testing/registries.js";
import { UsageCount } from "./usage-count.js";

const pod = (name: string, spec: object = {}) => ({
  metadata: { name, namespace: "ns" },
  spec: { containers: [{ name: "a", image: "a" }], ...spec },
});

test("quotas that are counted at the same time share one pass, by their scopes; one that comes during it waits for the next", async () => {
  const now = 1_700_000_000_000;
  const registries = new TestRegistries(["pods"], () => new Date(now));
  const [registry] = registries.context.registries();
  if (registry === undefined) throw new Error("there are no pods");
  const evaluator = new QuotaEvaluators(testApiContext(), noDevices).of(registry.definition);
  if (evaluator === undefined) throw new Error("pods are not counted");
  const list = vi.spyOn(registry, "list");
  const counter = new UsageCount();
  const pods = async (...scopeNames: readonly string[]) => {
    const scopes = scopeNames.map((scopeName) => ({ scopeName, operator: "Exists" }));
    const { used } = await counter.count({ registry, evaluator, namespace: "ns", scopes, now });
    return used.get("pods")?.toString();
  };
  await registries.create("pods", pod("a"));
  await registries.create("pods", pod("b", { activeDeadlineSeconds: 5 }));
  const together = Promise.all([pods(), pods("Terminating"), pods("NotTerminating"), pods()]);
  const during = vi.waitUntil(() => list.mock.calls.length === 1).then(() => pods());
  expect(await together).toEqual(["2", "1", "1", "2"]);
  expect(await during).toBe("2");
  expect(list).toHaveBeenCalledTimes(2);
  await registries.create("pods", pod("c"));
  expect(await pods()).toBe("3");
});
