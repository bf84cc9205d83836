import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
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

const withoutService = changed(workload, "spec.serviceName", undefined);

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
  const refused = (maxUnavailable: JsonValue, minor: number) =>
    withErrorTextsOf(
      minor,
      () =>
        statefulSetsAt("1.35", gate).create(
          changed(rolling, "spec.updateStrategy.rollingUpdate", { maxUnavailable }),
        ).errors,
    );
  const path = "spec.updateStrategy.rollingUpdate.maxUnavailable";
  expect(refused(0, 35)).toEqual([`${path}: Invalid value: 0: cannot be 0`]);
  expect(refused(0, 33)).toEqual([
    `${path}: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: cannot be 0`,
  ]);
  expect(refused("x", 35)).toEqual([
    expect.stringContaining("a valid percent string"),
    `${path}: Invalid value: "x": cannot be 0`,
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

test("an update of a daemon set warns of its template only if that changed", () => {
  const { strategy } = daemonSets(testApiContext());
  const { decode } = kindUnderTest(daemonSets(testApiContext()));
  const volumes = [{ name: "v", flocker: { datasetName: "d" } }];
  const json = changed(withoutService, "spec.template.spec", { ...template.spec, volumes });
  const old = decode(json);
  const warningsOf = (path: string, value: JsonValue) => {
    const now = decode(changed(json, path, value));
    strategy.prepareForUpdate(testWriteContext(), now, old);
    return strategy.warningsOnUpdate?.(testWriteContext(), now, old);
  };
  expect(warningsOf("spec.minReadySeconds", 5)).toEqual([]);
  expect(warningsOf("spec.template.spec.hostname", "h")).toHaveLength(1);
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

test("fractions of bytes in the claims of stateful sets are warned about since 1.26", () => {
  const claims = [
    {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "200m" } } },
    },
  ];
  const claiming = changed(workload, "spec.volumeClaimTemplates", claims);
  const text = 'resources.requests[storage]: fractional byte value "200m" is invalid, must be an integer';
  expect(warningsAt("1.25", claiming)).toEqual([[], []]);
  expect(warningsAt("1.26", claiming)).toEqual([
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

const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

test("the claims of a new stateful set are valid since 1.34", () => {
  const claims = (spec: JsonObject) =>
    changed(workload, "spec.volumeClaimTemplates", [{ metadata: { name: "a" }, spec }]);
  expect(statefulSetsAt("1.34").create(claims(claim)).errors).toEqual([]);
  const bad = claims({});
  expect(statefulSetsAt("1.33").create(bad).errors).toEqual([]);
  expect(statefulSetsAt("1.34").create(bad).errors).toEqual([
    "spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required",
    "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value",
  ]);
  expect(statefulSetsAt("1.36").update(bad, bad).errors).toEqual([]);
});

test("an update repeats errors of a stateful set's replicas before 1.25", () => {
  const spec = changed(workload, "spec.replicas", -1);
  const why = "spec.replicas: Invalid value: -1: must be greater than or equal to 0";
  expect(statefulSetsAt("1.24").update(spec, workload).errors).toEqual([why, why]);
  expect(statefulSetsAt("1.25").update(spec, workload).errors).toEqual([why]);
});

test("a daemon set that is updated on delete keeps both amounts of a rolling update", () => {
  const strategy = { type: "OnDelete", rollingUpdate: { maxSurge: 1 } };
  const { object } = kindUnderTest(daemonSets(testApiContext())).create(
    changed(withoutService, "spec.updateStrategy", strategy),
  );
  expect(object.spec.updateStrategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
});

test("an update of a daemon set tells of its selector first since 1.34", () => {
  const selector = changed(withoutService, "spec.selector", {});
  const immutable = expect.stringContaining("field is immutable");
  const empty = expect.stringContaining("empty selector is invalid for daemonset");
  const errors = (level: ApiLevel) =>
    kindUnderTest(daemonSets(testApiContext({ level }))).update(selector, withoutService).errors;
  expect(errors("1.33")).toEqual([empty, empty, immutable]);
  expect(errors("1.34")).toEqual([immutable, empty]);
});

test("pods of a stateful set mount its claims, and get their own names", () => {
  const mounts = (name: string) => {
    const container = { name: "app", image: "app:1", volumeMounts: [{ name, mountPath: "/data" }] };
    const pods = { hostname: "Not_A_Name", containers: [container] };
    const claims = [{ metadata: { name: "data" }, spec: claim }];
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

test("an updated controller revision without data has only changed it since 1.31", () => {
  const old = { metadata: { name: "r", namespace: "ns" }, revision: 1, data: { a: 1 } };
  const { data: _data, ...without } = old;
  const errors = (level: ApiLevel) =>
    kindUnderTest(controllerRevisions(testApiContext({ level }))).update(without, old).errors;
  const immutable = expect.stringMatching(/^data: .*field is immutable$/);
  expect(errors("1.30")).toEqual(["data: Required value: data is mandatory", immutable]);
  expect(errors("1.31")).toEqual([immutable]);
});

test("a strategy of another type is shown with the names that Kubernetes has for its fields", () => {
  const context = testApiContext({ level: "1.36" });
  const strategy = { type: "Other", rollingUpdate: { maxUnavailable: 1 } };
  const other = (field: string) => changed(withoutService, field, strategy);
  const partition = { type: "OnDelete", rollingUpdate: { partition: 1 } };
  const sets = kindUnderTest(statefulSets(context));
  const errors = withErrorTextsOf(36, () => [
    ...kindUnderTest(deployments(context)).create(other("spec.strategy")).errors,
    ...kindUnderTest(daemonSets(context)).create(other("spec.updateStrategy")).errors,
    ...sets.create(changed(workload, "spec.updateStrategy", strategy)).errors,
    ...sets.create(changed(workload, "spec.updateStrategy", partition)).errors,
  ]);
  const values = errors.map((text) => text.match(/\{.*\}(?=: )/)?.[0]);
  expect(values).toEqual([
    '{"Type":"Other","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}',
    '{"Type":"Other","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}',
    '{"Type":"Other","RollingUpdate":{"Partition":0,"MaxUnavailable":null}}',
    '{"Partition":1,"MaxUnavailable":null}',
  ]);
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
