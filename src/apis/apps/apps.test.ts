import { describe, expect, test } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { hubVersion, type ResourceDefinition } from "../definition/resource-definition.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { kindUnderTest } from "../testing/kind-under-test.js";
import { appsResources } from "./resources.js";
import { statefulSets } from "./stateful-set/resource.js";

const context = testApiContext();
const write = testWriteContext();

type Json = { readonly [key: string]: unknown };

function definitionOf(resource: string, resources = appsResources(context)): ResourceDefinition {
  const found = resources.find((definition) => definition.resource === resource);
  if (found === undefined) throw new Error(`no ${resource}`);
  return found;
}

/** Decodes a request body and sets defaults. */
function decoded(definition: ResourceDefinition, body: Json): ApiObject {
  const version = hubVersion(definition);
  const object = version.codec.fromJson(JSON.parse(JSON.stringify({ metadata: { name: "a" }, ...body })));
  version.setDefaults(object);
  return object;
}

function encoded(definition: ResourceDefinition, object: ApiObject): Json {
  return JSON.parse(hubVersion(definition).codec.toJson(object));
}

const labels = { app: "web" };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };

const minimal: { readonly [resource: string]: Json } = {
  deployments: { spec: { selector, template } },
  replicasets: { spec: { selector, template } },
  statefulsets: { spec: { selector, template, serviceName: "s" } },
  daemonsets: { spec: { selector, template } },
  controllerrevisions: { data: { a: 1 }, revision: 1 },
};

function withSpec(resource: string, changes: Json): Json {
  const spec = minimal[resource]?.spec;
  return { spec: { ...(typeof spec === "object" ? spec : {}), ...changes } };
}

function createErrors(resource: string, body: Json): string[] {
  const definition = definitionOf(resource);
  const object = decoded(definition, body);
  definition.strategy.prepareForCreate(write, object);
  return definition.strategy.validate(write, object).map(({ field, body: text }) => `${field}: ${text}`);
}

function updateErrors(resource: string, oldBody: Json, newBody: Json): string[] {
  const definition = definitionOf(resource);
  const old = decoded(definition, oldBody);
  definition.strategy.prepareForCreate(write, old);
  const object = decoded(definition, newBody);
  definition.strategy.prepareForUpdate(write, object, old);
  const errors = definition.strategy.validateUpdate(write, object, old);
  return errors.map(({ field, body: text }) => `${field}: ${text}`);
}

describe("creating", () => {
  test.each(Object.keys(minimal))("takes the least of %s", (resource) => {
    expect(createErrors(resource, minimal[resource] ?? {})).toEqual([]);
  });

  const otherLabels = { metadata: { labels: { app: "db" } }, spec: template.spec };
  const mismatch =
    'spec.template.metadata.labels: Invalid value: map[string]string{"app":"db"}: `selector` does not match template `labels`';

  test.each([
    ["deployments", { selector: undefined }, "spec.selector: Required value"],
    [
      "deployments",
      { selector: {} },
      "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment",
    ],
    ["deployments", { template: otherLabels }, mismatch],
    ["replicasets", { template: otherLabels }, mismatch],
    ["statefulsets", { template: otherLabels }, mismatch],
    ["daemonsets", { template: otherLabels }, mismatch],
    ["deployments", { replicas: -1 }, "spec.replicas: Invalid value: -1: must be greater than or equal to 0"],
    [
      "deployments",
      { minReadySeconds: 600 },
      "spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds",
    ],
    [
      "deployments",
      { strategy: { type: "Recreate", rollingUpdate: {} } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      "deployments",
      { strategy: { type: "Other" } },
      'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"Other", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      "deployments",
      { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: "0%" } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
    ],
    [
      "deployments",
      { strategy: { rollingUpdate: { maxUnavailable: "101%" } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
    ],
    [
      "replicasets",
      { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      "daemonsets",
      { template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 5 } } },
      "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported",
    ],
    [
      "daemonsets",
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
      "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
    ],
    [
      "daemonsets",
      { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero',
    ],
    [
      "statefulsets",
      { podManagementPolicy: "Other" },
      `spec.podManagementPolicy: Invalid value: "Other": must be 'OrderedReady' or 'Parallel'`,
    ],
    [
      "statefulsets",
      { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } },
      "spec.updateStrategy.rollingUpdate: Invalid value: apps.RollingUpdateStatefulSetStrategy{Partition:1}: only allowed for updateStrategy 'RollingUpdate'",
    ],
    [
      "statefulsets",
      { updateStrategy: { rollingUpdate: { partition: -1 } } },
      "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      "statefulsets",
      { persistentVolumeClaimRetentionPolicy: { whenScaled: "Keep" } },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"',
    ],
  ])("refuses %s with %j", (resource, changes, message) => {
    expect(createErrors(resource, withSpec(resource, changes))).toContain(message);
  });

  test("refuses a controller revision without data", () => {
    expect(createErrors("controllerrevisions", { revision: -1 })).toEqual([
      "data: Required value: data is mandatory",
      "revision: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });
});

describe("updating", () => {
  test.each(["deployments", "replicasets", "daemonsets"])("the selector of %s stays", (resource) => {
    const other = { matchLabels: { app: "web", tier: "a" } };
    const changed = { metadata: { labels: other.matchLabels }, spec: template.spec };
    expect(
      updateErrors(
        resource,
        minimal[resource] ?? {},
        withSpec(resource, { selector: other, template: changed }),
      ),
    ).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web", "tier":"a"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });

  const frozen =
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  test.each([
    [{ serviceName: "other" }, [frozen]],
    [{ revisionHistoryLimit: 3 }, [frozen]],
    [{ volumeClaimTemplates: [{ metadata: { name: "data" } }] }, [frozen]],
    [{ replicas: 5, minReadySeconds: 3, updateStrategy: { type: "OnDelete" } }, []],
  ])("a stateful set with %j", (changes, expected) => {
    expect(
      updateErrors(
        "statefulsets",
        minimal.statefulsets ?? {},
        withSpec("statefulsets", { serviceName: "s", ...changes }),
      ),
    ).toEqual(expected);
  });

  test("the data of a controller revision stays", () => {
    const errors = updateErrors(
      "controllerrevisions",
      { data: { a: 1 }, revision: 1 },
      { data: { a: 2 }, revision: 2 },
    );
    expect(errors).toEqual([
      'data: Invalid value: runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{0x7b, 0x22, 0x61, 0x22, 0x3a, 0x32, 0x7d}, ContentEncoding:"", ContentType:"application/json"}: field is immutable',
    ]);
    const emptied = updateErrors(
      "controllerrevisions",
      { data: { a: [] }, revision: 1 },
      { data: {}, revision: 1 },
    );
    expect(emptied).toHaveLength(1);
  });
});

describe("what writes set", () => {
  test("defaults of a deployment", () => {
    const definition = definitionOf("deployments");
    expect(encoded(definition, decoded(definition, { spec: { selector, template } }))).toMatchObject({
      spec: {
        replicas: 1,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    });
  });

  test("a stateful set with a strategy of its own gets no rolling update", () => {
    const definition = definitionOf("statefulsets");
    const object = decoded(
      definition,
      withSpec("statefulsets", { updateStrategy: { type: "RollingUpdate" } }),
    );
    expect(encoded(definition, object)).toMatchObject({
      spec: { updateStrategy: { type: "RollingUpdate" } },
    });
    expect(encoded(definition, object)).not.toHaveProperty("spec.updateStrategy.rollingUpdate");
  });

  test("a deployment's generation counts its spec and its annotations", () => {
    const definition = definitionOf("deployments");
    const old = decoded(definition, { spec: { selector, template } });
    definition.strategy.prepareForCreate(write, old);
    expect(old.metadata.generation).toBe(1);
    const same = decoded(definition, {
      metadata: { name: "a", generation: 1 },
      spec: { selector, template },
    });
    definition.strategy.prepareForUpdate(write, same, old);
    expect(same.metadata.generation).toBe(1);
    const noted = decoded(definition, {
      metadata: { annotations: { a: "b" } },
      spec: { selector, template },
    });
    definition.strategy.prepareForUpdate(write, noted, old);
    expect(noted.metadata.generation).toBe(2);
  });

  test("a daemon set counts its templates in an annotation that clients cannot change", () => {
    const definition = definitionOf("daemonsets");
    const key = "deprecated.daemonset.template.generation";
    const old = decoded(definition, minimal.daemonsets ?? {});
    definition.strategy.prepareForCreate(write, old);
    expect(old.metadata.annotations).toEqual({ [key]: "1" });
    const same = decoded(definition, { metadata: { annotations: { [key]: "7" } }, ...minimal.daemonsets });
    definition.strategy.prepareForUpdate(write, same, old);
    expect(same.metadata.annotations).toEqual({ [key]: "1" });
    const changed = { ...template, spec: { containers: [{ name: "c", image: "j" }] } };
    const next = decoded(definition, withSpec("daemonsets", { template: changed }));
    definition.strategy.prepareForUpdate(write, next, old);
    expect(next.metadata.annotations).toEqual({ [key]: "2" });
  });

  test("surges and retention policies are dropped while their gates are off", () => {
    const off = testApiContext({ gates: { DaemonSetUpdateSurge: false, StatefulSetAutoDeletePVC: false } });
    const resources = appsResources(off);
    const daemons = definitionOf("daemonsets", resources);
    const surging = { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } };
    const daemon = decoded(daemons, withSpec("daemonsets", surging));
    daemons.strategy.prepareForCreate(write, daemon);
    expect(encoded(daemons, daemon)).toMatchObject({
      spec: { updateStrategy: { rollingUpdate: { maxSurge: 0 } } },
    });
    const sets = definitionOf("statefulsets", resources);
    const retaining = { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } };
    const set = decoded(sets, withSpec("statefulsets", retaining));
    sets.strategy.prepareForCreate(write, set);
    expect(encoded(sets, set)).not.toHaveProperty("spec.persistentVolumeClaimRetentionPolicy");
  });
});

describe("views", () => {
  const now = new Date("2022-01-01T00:00:10Z");

  function row(resource: string, body: Json): unknown {
    const definition = definitionOf(resource);
    const metadata = { name: "a", creationTimestamp: "2022-01-01T00:00:00Z" };
    return definition.columns?.cells(decoded(definition, { metadata, ...body }), now);
  }

  test("rows", () => {
    const status = { replicas: 3, readyReplicas: 2, updatedReplicas: 1, availableReplicas: 1 };
    expect(row("deployments", { ...minimal.deployments, status })).toEqual([
      "a",
      "2/1",
      1,
      1,
      "10s",
      "c",
      "i",
      "app=web",
    ]);
    expect(row("replicasets", { ...minimal.replicasets, status })).toEqual([
      "a",
      1,
      3,
      2,
      "10s",
      "c",
      "i",
      "app=web",
    ]);
    expect(row("statefulsets", { ...minimal.statefulsets, status })).toEqual(["a", "2/1", "10s", "c", "i"]);
    expect(row("daemonsets", { ...minimal.daemonsets, status: { desiredNumberScheduled: 4 } })).toEqual([
      "a",
      4,
      0,
      0,
      0,
      0,
      "<none>",
      "10s",
      "c",
      "i",
      "app=web",
    ]);
  });

  test("a controller revision's row names its controller", () => {
    const definition = definitionOf("controllerrevisions");
    const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "u", controller: true };
    const object = decoded(definition, { metadata: { name: "a", ownerReferences: [owner] }, revision: 3 });
    expect(definition.columns?.cells(object, now)).toEqual(["a", "statefulset.apps/web", 3, "<unknown>"]);
  });

  test("a scale reads and sets the replicas", () => {
    const definition = definitionOf("deployments");
    const scale = definition.subresources.find((part) => part.kind === "scale");
    const object = decoded(definition, {
      ...withSpec("deployments", { replicas: 2 }),
      status: { replicas: 1 },
    });
    expect(scale?.scale.specReplicas(object)).toBe(2);
    expect(scale?.scale.statusReplicas(object)).toBe(1);
    expect(scale?.scale.selector(object)).toBe("app=web");
    scale?.scale.setSpecReplicas(object, 9);
    expect(scale?.scale.specReplicas(object)).toBe(9);
  });
});

describe("status", () => {
  function statusErrors(resource: string, oldStatus: Json, newStatus: Json): string[] {
    const definition = definitionOf(resource);
    const part = definition.subresources.find((subresource) => subresource.name === "status");
    if (part?.kind !== "part") throw new Error("no status");
    const old = decoded(definition, { ...minimal[resource], status: oldStatus });
    const object = decoded(definition, { ...minimal[resource], status: newStatus });
    part.strategy.prepareForUpdate(write, object, old);
    return part.strategy.validateUpdate(write, object, old).map(({ field, body }) => `${field}: ${body}`);
  }

  test.each([
    [
      "deployments",
      { readyReplicas: 1 },
      "status.readyReplicas: Invalid value: 1: cannot be greater than status.replicas",
    ],
    [
      "deployments",
      { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
      "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
    ],
    [
      "statefulsets",
      { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
      "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
    ],
    [
      "daemonsets",
      { numberReady: -1 },
      "status.numberReady: Invalid value: -1: must be greater than or equal to 0",
    ],
    ["daemonsets", { collisionCount: 1 }, "status.collisionCount: Invalid value: 1: cannot be decremented"],
    [
      "replicasets",
      { replicas: -1 },
      "status.replicas: Invalid value: -1: must be greater than or equal to 0",
    ],
  ])("of %s with %j is refused", (resource, status, message) => {
    expect(statusErrors(resource, { collisionCount: 2 }, { ...status })).toContain(message);
  });

  test("of a stateful set is named with its path since 1.25", () => {
    const json = { ...minimal.statefulsets, status: { replicas: 2, readyReplicas: 1, availableReplicas: 2 } };
    const kind = kindUnderTest(statefulSets(testApiContext({ level: "1.25" })));
    expect(kind.update(json, json, "status").errors).toEqual([
      "status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas",
    ]);
  });
});
