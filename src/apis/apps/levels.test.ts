import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { deployments } from "./deployment/resource.js";
import { statefulSets } from "./stateful-set/resource.js";

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "app", image: "app:1" }] },
};
const workload: JsonObject = {
  metadata: { name: "w", namespace: "ns" },
  spec: { selector: { matchLabels: { app: "a" } }, template, serviceName: "s" },
};

function statefulSetsAt(level: ApiLevel, gates = {}) {
  return kindUnderTest(statefulSets(testApiContext({ level, gates })));
}

test("ordinals of a stateful set begin at zero or later", () => {
  const spec = changed(workload, "spec.ordinals", { start: -1 });
  expect(statefulSetsAt("1.27").create(spec).errors).toEqual([
    "spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("unavailable pods of a stateful set are one unless it says so, while the gate is on", () => {
  const rolling = changed(workload, "spec.updateStrategy", { type: "RollingUpdate", rollingUpdate: {} });
  const shown = (level: ApiLevel) =>
    statefulSetsAt(level).decode(rolling).spec.updateStrategy.rollingUpdate?.maxUnavailable;
  expect(shown("1.35")).toBe(1);
  expect(shown("1.34")).toBeUndefined();
  const none = changed(rolling, "spec.updateStrategy.rollingUpdate.maxUnavailable", 0);
  expect(statefulSetsAt("1.35").create(none).errors).toEqual([
    "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0",
  ]);
});

test.each<[ApiLevel, string]>([
  [
    "1.25",
    "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
  ],
  [
    "1.26",
    "'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
  ],
  [
    "1.33",
    "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
  ],
])("what else may change of a stateful set at %s: %s", (level, fields) => {
  const other = changed(workload, "spec.serviceName", "other");
  expect(statefulSetsAt(level).update(other, workload).errors).toEqual([
    `spec: Forbidden: updates to statefulset spec for fields other than ${fields} are forbidden`,
  ]);
  const history = changed(workload, "spec.revisionHistoryLimit", 3);
  expect(statefulSetsAt(level).update(history, workload).errors).toHaveLength(level === "1.33" ? 0 : 1);
});

test("names of pods are warned about where they are no labels", () => {
  const named = changed(workload, "metadata.name", "a.b");
  const { serviceName: _unused, ...spec } = named.spec as JsonObject;
  const warningsAt = (level: ApiLevel) => {
    const definition = deployments(testApiContext({ level }));
    const object = kindUnderTest(definition).decode({ ...named, spec });
    return definition.strategy.warningsOnCreate?.(testWriteContext(), object);
  };
  expect(warningsAt("1.26")).toEqual([]);
  expect(warningsAt("1.27")).toEqual([
    expect.stringMatching(/^metadata.name: this is used in Pod names and hostnames, /),
  ]);
});

test("terminating pods of a deployment are counted", () => {
  const { serviceName: _unused, ...spec } = workload.spec as JsonObject;
  const deployment = { ...workload, spec };
  const kind = kindUnderTest(deployments(testApiContext({ level: "1.35" })));
  const status = { terminatingReplicas: -1 };
  expect(kind.update({ ...deployment, status }, deployment, "status").errors).toEqual([
    "status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0",
  ]);
});
