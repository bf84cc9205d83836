import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../../apimachinery/levels/feature-gates/feature-gates.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { podGroups } from "../pod-group/resource.js";
import { workloads } from "./resource.js";

const allGates = {
  GenericWorkload: true,
  TopologyAwareWorkloadScheduling: true,
  DRAWorkloadResourceClaims: true,
  WorkloadAwarePreemption: true,
};
type Gates = { readonly [N in FeatureGateName]?: boolean };
const workloadsAt = (level: ApiLevel, gates: Gates = allGates) =>
  kindUnderTest(workloads(testApiContext({ level, gates })), level);
const groupsAt = (gates: Gates = allGates) =>
  kindUnderTest(podGroups(testApiContext({ level: "1.36", gates })), "1.36");

const union = (path: string) => `${path}: Invalid value: "": must specify one of: \`basic\`, \`gang\``;
const gang = { gang: { minCount: 2 } };

describe("a workload of v1alpha1", () => {
  const kind = workloadsAt("1.35");
  const json: JsonObject = {
    metadata: { name: "w" },
    spec: {
      controllerRef: { apiGroup: "batch", kind: "Job", name: "j" },
      podGroups: [{ name: "a", policy: gang }],
    },
  };

  test.each<[string, JsonValue | undefined, string[]]>([
    ["spec.podGroups", undefined, ["spec.podGroups: Required value: must have at least one item"]],
    [
      "spec.podGroups",
      Array.from({ length: 9 }, (_, n) => ({ name: `g${n}`, policy: gang })),
      ["spec.podGroups: Too many: 9: must have at most 8 items"],
    ],
    [
      "spec.podGroups.1",
      { name: "a", policy: { basic: {} } },
      ['spec.podGroups[1].name: Duplicate value: "a"'],
    ],
    [
      "spec.podGroups.0.policy",
      {},
      ["spec.podGroups[0].policy: Required value: exactly one of `basic`, `gang` is required"],
    ],
    [
      "spec.podGroups.0.policy.basic",
      {},
      [
        'spec.podGroups[0].policy: Invalid value: "{`basic`, `gang`}": exactly one of `basic`, `gang` is required, but multiple fields are set',
      ],
    ],
    [
      "spec.podGroups.0.policy.gang.minCount",
      0,
      ["spec.podGroups[0].policy.gang.minCount: Invalid value: 0: must be greater than zero"],
    ],
    ["spec.controllerRef.kind", "", ["spec.controllerRef.kind: Required value"]],
    [
      "spec.controllerRef.name",
      "a/b",
      [`spec.controllerRef.name: Invalid value: "a/b": may not contain '/'`],
    ],
  ])("with %s = %.40j", (path, value, errors) => {
    expect(kind.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("keeps its groups", () => {
    expect(kind.create(json).errors).toEqual([]);
    expect(kind.update(json, json).errors).toEqual([]);
    expect(kind.update(changed(json, "spec.podGroups.0.name", "b"), json).errors).toEqual([
      expect.stringMatching(/^podGroups: Invalid value: .*: field is immutable$/),
    ]);
  });

  test("is read at 1.36", () => {
    const definition = workloads(testApiContext({ level: "1.36" }));
    const all = kindUnderTest(definition);
    const old = kindUnderTest(workloads(testApiContext({ level: "1.35" }))).decode(json, "v1alpha1");
    expect(all.encode(old, "v1alpha2")).toMatchObject({
      spec: { podGroupTemplates: [{ name: "a", schedulingPolicy: gang }] },
    });
  });
});

describe("a workload of v1alpha2", () => {
  const kind = workloadsAt("1.36");
  const template = {
    name: "a",
    schedulingPolicy: gang,
    schedulingConstraints: { topology: [{ key: "example.org/rack" }] },
    resourceClaims: [{ name: "c", resourceClaimName: "claim" }],
    disruptionMode: "PodGroup",
    priorityClassName: "high",
    priority: 7,
  };
  const json: JsonObject = { metadata: { name: "w" }, spec: { podGroupTemplates: [template] } };
  const at = "spec.podGroupTemplates[0]";

  test.each<[string, JsonValue | undefined, string[]]>([
    ["", undefined, []],
    [".name", "A", [expect.stringMatching(/\.name: Invalid value: "A": a lowercase RFC 1123 label/)]],
    [".schedulingPolicy", {}, [union(`${at}.schedulingPolicy`)]],
    [
      ".schedulingPolicy",
      { basic: {}, gang: { minCount: 1 } },
      [
        `${at}.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: \`basic\`, \`gang\``,
      ],
    ],
    [".schedulingPolicy.gang.minCount", 0, [`${at}.schedulingPolicy.gang.minCount: Required value`]],
    [
      ".schedulingConstraints.topology",
      [{ key: "a" }, { key: "b" }],
      [`${at}.schedulingConstraints.topology: Too many: 2: must have at most 1 items`],
    ],
    [
      ".resourceClaims.0.resourceClaimTemplateName",
      "t",
      [
        `${at}.resourceClaims[0]: Invalid value: "{resourceClaimName, resourceClaimTemplateName}": must specify exactly one of: \`resourceClaimName\`, \`resourceClaimTemplateName\``,
      ],
    ],
    [
      ".disruptionMode",
      "Never",
      [`${at}.disruptionMode: Unsupported value: "Never": supported values: "Pod", "PodGroup"`],
    ],
    [
      ".priority",
      1_000_000_001,
      [`${at}.priority: Invalid value: 1000000001: must be less than or equal to 1000000000`],
    ],
  ])("with a template whose %s = %.40j", (path, value, errors) => {
    const object = path === "" ? json : changed(json, `spec.podGroupTemplates.0${path}`, value);
    expect(kind.create(object).errors).toEqual(errors);
  });

  test("never changes, and loses the fields of gates that are off", () => {
    expect(kind.update(changed(json, "spec.podGroupTemplates.0.name", "b"), json).errors).toEqual([
      "spec.podGroupTemplates: Invalid value: null: field is immutable",
    ]);
    const { object } = workloadsAt("1.36", { GenericWorkload: true }).create(json);
    expect(object.spec.podGroupTemplates).toEqual([{ name: "a", schedulingPolicy: gang }]);
  });
});

describe("a group of pods", () => {
  const kind = groupsAt();
  const json: JsonObject = {
    metadata: { name: "g" },
    spec: {
      podGroupTemplateRef: { workload: { workloadName: "w", podGroupTemplateName: "a" } },
      schedulingPolicy: gang,
      resourceClaims: [{ name: "c", resourceClaimTemplateName: "t" }],
    },
  };

  test("may be disrupted pod by pod unless it says otherwise", () => {
    const { object, errors } = kind.create(json);
    expect(errors).toEqual([]);
    expect(object.spec.disruptionMode).toBe("Pod");
    expect(object.status).toEqual({});
    expect(groupsAt({ GenericWorkload: true }).create(json).object.spec.disruptionMode).toBeUndefined();
  });

  test.each<[string, JsonValue | undefined, string[]]>([
    [
      "spec.podGroupTemplateRef",
      {},
      ['spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`'],
    ],
    [
      "spec.podGroupTemplateRef.workload.workloadName",
      "",
      ["spec.podGroupTemplateRef.workload.workloadName: Required value"],
    ],
    ["spec.schedulingPolicy", {}, [union("spec.schedulingPolicy")]],
  ])("with %s = %j", (path, value, errors) => {
    expect(kind.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("never changes", () => {
    expect(kind.update(changed(json, "spec.priority", 1), json).errors).toEqual([
      "spec.priority: Invalid value: null: field is immutable",
    ]);
  });

  test("has claims in its status that it asks for", () => {
    const status = (name: string) => ({ ...json, status: { resourceClaimStatuses: [{ name }] } });
    expect(kind.update(status("c"), json, "status").errors).toEqual([]);
    expect(kind.update(status("d"), json, "status").errors).toEqual([
      'status.resourceClaimStatuses[0].name: Invalid value: "d": must match the name of an entry in `spec.resourceClaims`',
    ]);
  });

  test("is printed", () => {
    const withCondition = (type: string, status: string) => ({
      ...json,
      status: { conditions: [{ type, status, reason: "Why", message: "" }] },
    });
    const cells = (object: JsonObject) => kind.cells(object).slice(0, 4);
    expect(cells(json)).toEqual(["g", "Gang", "w", "Pending"]);
    expect(cells(withCondition("PodGroupScheduled", "True"))[3]).toBe("Scheduled");
    expect(cells(withCondition("PodGroupScheduled", "False"))[3]).toBe("Unschedulable");
    expect(cells(withCondition("DisruptionTarget", "True"))[3]).toBe("Why");
  });
});

test("the name of a group may have dots", () => {
  const { strategy } = podGroups(testApiContext({ level: "1.36", gates: allGates }));
  expect(strategy.validateName("a.b", false)).toEqual([]);
  expect(strategy.validateName("A", false)).toEqual([expect.stringContaining("RFC 1123 subdomain")]);
});
