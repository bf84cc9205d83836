import { expect, test } from "vitest";
import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { resourceQuotas } from "./resource.js";

const ground = kindGround(resourceQuotas(testApiContext()));
const of = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", namespace: "ns", creationTimestamp: "2021-12-31T23:59:00Z" },
  spec,
  status,
});
const selector = (scopeName: string, operator: string, values: readonly string[] = []): JsonObject => ({
  hard: { pods: "1" },
  scopeSelector: { matchExpressions: [{ scopeName, operator, values }] },
});

test("a new quota has nothing counted; an update keeps what was", () => {
  const status = { used: { pods: "1" } };
  expect(ground.write(of({}, status)).status).toEqual({});
  expect(ground.rewrite(of({}, status), of({ hard: { pods: "2" } })).status).toEqual(status);
  expect(ground.rewrite(of({}), of({ hard: { pods: "2" } }, status), "status")).toMatchObject({
    spec: {},
    status,
  });
});

const scopePath = "spec.scopeSelector.matchExpressions";
test.each<[JsonObject, string[]]>([
  [
    {
      hard: {
        pods: "1",
        "requests.cpu": "1500m",
        "count/x.example.com": "1",
        "requests.hugepages-2Mi": "2Mi",
      },
    },
    [],
  ],
  [{ hard: { pods: "1", "limits.cpu": "1" }, scopes: ["NotBestEffort", "Terminating"] }, []],
  [selector("PriorityClass", "In", ["high"]), []],
  [selector("CrossNamespacePodAffinity", "Exists"), []],
  [
    { hard: { pods: "1500m", cpu: "-1", x: "1" } },
    [
      `spec.hard[pods]: Invalid value: ${printQuantity("1500m").text}: must be an integer`,
      'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      'spec.hard[x]: Invalid value: "x": must be a standard resource type or fully qualified',
      'spec.hard[x]: Invalid value: "x": must be a standard resource for quota',
    ],
  ],
  [
    { hard: { storage: "1" } },
    ['spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota'],
  ],
  [
    { hard: { secrets: "1", cpu: "1" }, scopes: ["BestEffort", "NotBestEffort", "x"] },
    [
      ...Array.from({ length: 2 }, () => "unsupported scope applied to resource"),
      "unsupported scope applied to resource",
      "unsupported scope",
      "conflicting scopes",
    ].map(
      (why) =>
        `spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort", "x"}: ${why}`,
    ),
  ],
  [
    { ...selector("BestEffort", "Exists"), hard: { secrets: "1" } },
    [
      `${scopePath}: Invalid value: core.ScopeSelector{MatchExpressions:[]core.ScopedResourceSelectorRequirement{core.ScopedResourceSelectorRequirement{ScopeName:"BestEffort", Operator:"Exists", Values:[]string(nil)}}}: unsupported scope applied to resource`,
    ],
  ],
  [
    selector("BestEffort", "In", ["a"]),
    [expect.stringMatching(`^${scopePath}.operator: Invalid value: "In": must be 'Exist'`)],
  ],
  [
    selector("PriorityClass", "In"),
    [
      `${scopePath}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
    ],
  ],
  [
    selector("PriorityClass", "Exists", ["a"]),
    [
      `${scopePath}.values: Invalid value: []string{"a"}: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
    ],
  ],
  [
    selector("PriorityClass", "x"),
    [`${scopePath}.operator: Invalid value: "x": not a valid selector operator`],
  ],
])("spec %#", (spec, errors) => {
  expect(ground.createErrors(of(spec))).toEqual(errors);
});

test("a scope without values has its operator spelled since 1.31", () => {
  const errorsAt = (level: ApiLevel) =>
    kindGround(resourceQuotas(testApiContext({ level })), level).createErrors(
      of(selector("BestEffort", "In", ["a"])),
    );
  expect(errorsAt("1.30")).toEqual([expect.stringContaining("must be 'Exist' when")]);
  expect(errorsAt("1.31")).toEqual([expect.stringContaining("must be 'Exists' when")]);
});

test("a scope behind a gate stays allowed where it is in use", () => {
  const without = kindGround(
    resourceQuotas(testApiContext({ gates: { PodAffinityNamespaceSelector: false } })),
  );
  const quota = of({ scopes: ["CrossNamespacePodAffinity"] });
  expect(without.createErrors(quota)).toHaveLength(1);
  expect(without.updateErrors(quota, quota)).toEqual([]);
});

// The gate is locked since 1.24 and removed in 1.26.
test.each<[ApiLevel, boolean | undefined, boolean]>([
  ["1.23", undefined, true],
  ["1.23", false, false],
  ["1.24", undefined, true],
  ["1.36", undefined, true],
])(
  "at %s with the gate %j, a quota for affinity across namespaces is allowed: %j",
  (level, gate, allowed) => {
    const gates = gate === undefined ? {} : { PodAffinityNamespaceSelector: gate };
    const { createErrors } = kindGround(resourceQuotas(testApiContext({ level, gates })), level);
    const scoped = selector("CrossNamespacePodAffinity", "Exists");
    const refused = [expect.stringContaining("CrossNamespacePodAffinity")];
    expect(createErrors(of(scoped))).toEqual(allowed ? [] : refused);
  },
);

test("scopes stay, in any order", () => {
  const scopes = ["BestEffort", "Terminating"];
  expect(ground.updateErrors(of({ scopes }), of({ scopes: [...scopes].reverse() }))).toEqual([]);
  expect(ground.updateErrors(of({ scopes }), of({}))).toEqual([
    "spec.scopes: Invalid value: []core.ResourceQuotaScope(nil): field is immutable",
  ]);
});

test("a status is of quota resources", () => {
  const errors = ground.updateErrors(of({}), of({}, { hard: { x: "1" }, used: { pods: "-1" } }), "status");
  expect(errors).toEqual([
    'status.hard[x]: Invalid value: "x": must be a standard resource type or fully qualified',
    'status.hard[x]: Invalid value: "x": must be a standard resource for quota',
    'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
  ]);
});

test("rows show use of requests and of limits", () => {
  const status = { hard: { pods: "2", "limits.cpu": "1", cpu: "1" }, used: { pods: "1" } };
  expect(ground.cells(of({}, status))).toEqual({
    Name: "a",
    Age: "60s",
    Request: "cpu: 0/1, pods: 1/2",
    Limit: "limits.cpu: 0/1",
  });
});

test.each<[ApiLevel, JsonObject, string[]]>([
  ["1.32", selector("VolumeAttributesClass", "Exists"), [`${scopePath}.scopeName`]],
  ["1.33", { ...selector("VolumeAttributesClass", "Exists"), hard: { persistentvolumeclaims: "1" } }, []],
  ["1.36", { ...selector("VolumeAttributesClass", "In", ["a"]), hard: { "requests.storage": "1" } }, []],
  ["1.33", selector("VolumeAttributesClass", "Exists"), [scopePath]],
])("at %s, the quota %j is wrong at %j", (level, spec, fields) => {
  const errors = kindGround(resourceQuotas(testApiContext({ level })), level).createErrors(of(spec));
  expect(errors.map((error) => error.slice(0, error.indexOf(":")))).toEqual(fields);
});

test.each<[ApiLevel, string[]]>([
  ["1.34", []],
  [
    "1.35",
    [
      "ResourceQuota cpu (2) should be less than limits.cpu (1)",
      "ResourceQuota requests.ephemeral-storage (2Gi) should be less than limits.ephemeral-storage (1Gi)",
    ],
  ],
])("at %s, requests beyond limits give warnings: %j", (level, warnings) => {
  const { strategy } = resourceQuotas(testApiContext({ level }));
  const hard = {
    cpu: "2",
    "limits.cpu": "1",
    memory: "1",
    "limits.memory": "1",
    "requests.ephemeral-storage": "2Gi",
    "limits.ephemeral-storage": "1Gi",
  };
  const object = kindGround(resourceQuotas(testApiContext({ level })), level).write(of({ hard }));
  expect(strategy.warningsOnCreate?.(testWriteContext(), object) ?? []).toEqual(warnings);
});
