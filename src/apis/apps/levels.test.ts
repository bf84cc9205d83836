import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { controllerRevisions } from "./controller-revision/resource.js";
import { daemonSets } from "./daemon-set/resource.js";
import { deployments } from "./deployment/resource.js";
import { replicaSets } from "./replica-set/resource.js";
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
  const gate = { MaxUnavailableStatefulSet: true };
  const shown = (gates = {}) =>
    statefulSetsAt("1.35", gates).decode(rolling).spec.updateStrategy.rollingUpdate?.maxUnavailable;
  expect(shown(gate)).toBe(1);
  expect(shown()).toBeUndefined();
  const none = changed(rolling, "spec.updateStrategy.rollingUpdate.maxUnavailable", 0);
  expect(statefulSetsAt("1.35", gate).create(none).errors).toEqual([
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

/** Warnings of creating and of updating a stateful set, whose template did not change. */
function warningsAt(level: ApiLevel, set: JsonObject): (string[] | undefined)[] {
  const { strategy } = statefulSets(testApiContext({ level }));
  const object = statefulSetsAt(level).decode(set);
  return [
    strategy.warningsOnCreate?.(testWriteContext(), object),
    strategy.warningsOnUpdate?.(testWriteContext(), object, object),
  ];
}

test("negative history limits of stateful sets are warned about since 1.33", () => {
  const negative = changed(workload, "spec.revisionHistoryLimit", -1);
  const warning =
    "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";
  expect(statefulSetsAt("1.33").create(negative).errors).toEqual([]);
  expect(statefulSetsAt("1.33").update(negative, workload).errors).toEqual([]);
  expect(warningsAt("1.32", negative)).toEqual([[], []]);
  expect(warningsAt("1.33", negative)).toEqual([[warning], [warning]]);
});

test("fractions of bytes in the claims of stateful sets are warned about since 1.27", () => {
  const claims = [
    {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "200m" } } },
    },
  ];
  const claiming = changed(workload, "spec.volumeClaimTemplates", claims);
  const text = 'resources.requests[storage]: fractional byte value "200m" is invalid, must be an integer';
  expect(warningsAt("1.26", claiming)).toEqual([[], []]);
  expect(warningsAt("1.27", claiming)).toEqual([
    [`spec.volumeClaimTemplates[0].${text}`],
    [`spec.volumeClaimTemplates[0].Spec.${text}`],
  ]);
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

test("the service of a new stateful set has the name of one since 1.33", () => {
  const bad = changed(workload, "spec.serviceName", "a/b");
  expect(statefulSetsAt("1.32").create(bad).errors).toEqual([]);
  expect(statefulSetsAt("1.33").create(bad).errors).toEqual([
    expect.stringMatching(/^spec\.serviceName: Invalid value: "a\/b": a lowercase RFC 1123 label must/),
  ]);
  expect(statefulSetsAt("1.36").update(bad, bad).errors).toEqual([]);
});

test("the pods of a stateful set are valid since 1.34, unless they were not before", () => {
  const bad = changed(workload, "spec.template.spec.containers", [{ name: "app" }]);
  const noImage = "spec.template.spec.containers[0].image: Required value";
  expect(statefulSetsAt("1.33").create(bad).errors).toEqual([]);
  expect(statefulSetsAt("1.34").create(bad).errors).toEqual([noImage]);
  expect(statefulSetsAt("1.36").update(bad, workload).errors).toEqual([noImage]);
  expect(statefulSetsAt("1.36").update(bad, bad).errors).toEqual([]);
});

test("pods of a stateful set mount its claims, and get their own names", () => {
  const mounts = (name: string) => {
    const container = { name: "app", image: "app:1", volumeMounts: [{ name, mountPath: "/data" }] };
    const pods = { hostname: "Not_A_Name", containers: [container] };
    const claims = [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }];
    return changed(changed(workload, "spec.template.spec", pods), "spec.volumeClaimTemplates", claims);
  };
  const at = statefulSetsAt("1.35");
  expect(at.create(mounts("data")).errors).toEqual([]);
  expect(at.create(mounts("other")).errors).toEqual([
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "other"',
  ]);
});

test("the data of a new controller revision is an object since 1.31", () => {
  const errors = (level: ApiLevel, data: object) =>
    kindUnderTest(controllerRevisions(testApiContext({ level }))).create(
      changed(
        { metadata: { name: "r", namespace: "ns" }, revision: 1 },
        "data",
        JSON.parse(JSON.stringify(data)),
      ),
    ).errors;
  expect(errors("1.30", [])).toEqual([]);
  expect(errors("1.31", [])).toEqual(["data: Required value: data must be a valid JSON object"]);
  expect(errors("1.36", {})).toEqual([]);
});

test("what is wrong with an updated replica set or daemon set is told twice before 1.34, and once since", () => {
  const { serviceName: _none, ...spec } = workload.spec as JsonObject;
  const old = { ...workload, spec };
  const wrong = changed(old, "spec.minReadySeconds", -1);
  const errorsAt = (level: ApiLevel) => {
    const context = testApiContext({ level });
    return [
      kindUnderTest(replicaSets(context)).update(wrong, old).errors,
      kindUnderTest(daemonSets(context)).update(wrong, old).errors,
    ];
  };
  const error = "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0";
  expect(errorsAt("1.33")).toEqual([
    [error, error],
    [error, error],
  ]);
  expect(errorsAt("1.34")).toEqual([[error], [error]]);
});
