import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, minorOf } from "../../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import {
  convertFromHub,
  convertToHub,
  hubVersion,
  type ResourceDefinition,
} from "../../definition/resource-definition.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { autoscalingResources } from "../resources.js";
import { horizontalPodAutoscalers } from "./resource.js";

type Json = { readonly [key: string]: unknown };

const context = testApiContext();
const write = testWriteContext();
const prefix = `autoscaling.alpha.${context.naming.domain}`;

function definitionOf(gates: { readonly [gate: string]: boolean } = {}): ResourceDefinition {
  const [found] = autoscalingResources(testApiContext({ gates }));
  if (found === undefined) throw new Error("no kinds");
  return found;
}

const definition = definitionOf();

function versionOf(name: string) {
  const found = definition.versions.find(({ version }) => version === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

/** Converts a body of one version to the hub. */
function toHub(name: string, body: Json): ApiObject {
  const version = versionOf(name);
  const { codec, setDefaults } = version;
  const object = codec.fromJson(JSON.parse(JSON.stringify(body)));
  setDefaults(object);
  return convertToHub(version, object);
}

function fromHub(name: string, hub: ApiObject): Json {
  const version = versionOf(name);
  return JSON.parse(version.codec.toJson(convertFromHub(version, hub)));
}

function convert(from: string, to: string, body: Json): Json {
  return fromHub(to, toHub(from, body));
}

const scaleTargetRef = { kind: "Deployment", name: "web", apiVersion: "apps/v1" };
const base = { scaleTargetRef, minReplicas: 2, maxReplicas: 5 };
const status = { desiredReplicas: 3, currentReplicas: 2 };
const noStatus = { currentReplicas: 0, desiredReplicas: 0 };
const cpu = (averageUtilization: number) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

const everyMetric = [
  {
    type: "Object",
    object: {
      describedObject: { kind: "Service", name: "s" },
      target: { type: "Value", value: "10" },
      metric: { name: "hits", selector: { matchLabels: { a: "<b>" } } },
    },
  },
  {
    type: "Pods",
    pods: { metric: { name: "packets" }, target: { type: "AverageValue", averageValue: "1k" } },
  },
  { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
  {
    type: "ContainerResource",
    containerResource: {
      name: "cpu",
      target: { type: "Utilization", averageUtilization: 50 },
      container: "c",
    },
  },
  {
    type: "External",
    external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } },
  },
];
const behavior = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [{ type: "Pods", value: 2, periodSeconds: 60 }],
  },
  scaleDown: { selectPolicy: "Disabled", policies: [{ type: "Percent", value: 10, periodSeconds: 15 }] },
};
const conditions = [
  {
    type: "AbleToScale",
    status: "True",
    lastTransitionTime: "2022-01-01T00:00:00Z",
    reason: "R",
    message: "m & n",
  },
];
const currentMetrics = [
  { type: "Resource", resource: { name: "cpu", current: { averageValue: "500m", averageUtilization: 40 } } },
  { type: "Pods", pods: { metric: { name: "packets" }, current: { averageValue: "2" } } },
  {
    type: "Object",
    object: {
      metric: { name: "hits" },
      current: { value: "9" },
      describedObject: { kind: "Service", name: "s" },
    },
  },
  { type: "External", external: { metric: { name: "queue" }, current: { value: "7", averageValue: "3" } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", current: { averageValue: "1", averageUtilization: 2 }, container: "c" },
  },
];
const full = {
  metadata: { name: "a", annotations: { own: "x" } },
  spec: { ...base, metrics: [...everyMetric, cpu(70)], behavior },
  status: { ...status, currentMetrics, conditions },
};

describe("conversion", () => {
  test.each(["v1", "v2beta1", "v2beta2", "v2"])("all of v2 survives %s", (name) => {
    const hub = toHub("v2", full);
    const printed = fromHub("v2", hub);
    expect(fromHub("v2", toHub(name, fromHub(name, hub)))).toEqual(printed);
    expect(printed).toMatchObject(full);
  });

  test("the annotations of v1, byte for byte", () => {
    const {
      metadata,
      spec,
      status: oldStatus,
    } = convert("v2", "v1", {
      metadata: { name: "a" },
      spec: { ...base, metrics: [cpu(70), everyMetric[2]], behavior },
      status: { ...status, currentMetrics: [currentMetrics[0]], conditions },
    });
    expect(spec).toEqual({ ...base, targetCPUUtilizationPercentage: 70 });
    expect(oldStatus).toEqual({ ...status, currentCPUUtilizationPercentage: 40 });
    expect(metadata).toMatchObject({
      annotations: {
        [`${prefix}/metrics`]:
          '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
        [`${prefix}/current-metrics`]:
          '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":40,"currentAverageValue":"500m"}}]',
        [`${prefix}/behavior`]:
          '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":2,"PeriodSeconds":60}]},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Disabled","Policies":[{"Type":"Percent","Value":10,"PeriodSeconds":15}]}}',
        [`${prefix}/conditions`]:
          '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2022-01-01T00:00:00Z","reason":"R","message":"m \\u0026 n"}]',
      },
    });
  });

  test("v1 without a target has the default one, unless annotations say otherwise", () => {
    expect(convert("v1", "v2", { metadata: { name: "a" }, spec: base })).toMatchObject({
      spec: { ...base, metrics: [cpu(80)] },
    });
    const annotations = {
      [`${prefix}/metrics`]: '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1"}}]',
    };
    const object = convert("v1", "v2", { metadata: { name: "a", annotations }, spec: base });
    expect(object).toMatchObject({
      spec: {
        metrics: [
          {
            type: "Resource",
            resource: { name: "memory", target: { type: "AverageValue", averageValue: "1" } },
          },
        ],
      },
    });
    expect(object).not.toHaveProperty("metadata.annotations");
  });

  test("text in annotations that is no JSON of theirs counts as none, and goes", () => {
    const annotations = Object.fromEntries(
      ["metrics", "current-metrics", "behavior", "conditions"].map((name) => [`${prefix}/${name}`, "{"]),
    );
    expect(
      convert("v1", "v2", { metadata: { name: "a", annotations }, spec: base, status: noStatus }),
    ).toEqual({
      metadata: { name: "a", creationTimestamp: null },
      spec: { ...base, metrics: [cpu(80)] },
      status: { desiredReplicas: 0, currentMetrics: null },
    });
  });

  test("annotations of other versions do not stay in v2", () => {
    const annotations = { [`${prefix}/conditions`]: "[]", own: "x" };
    for (const name of ["v2", "v2beta2"]) {
      const object = convert(name, "v2", { metadata: { name: "a", annotations }, spec: base });
      expect(object).toMatchObject({ metadata: { annotations: { own: "x" } } });
      expect(object).not.toHaveProperty(["metadata", "annotations", `${prefix}/conditions`]);
    }
  });

  test("v2beta1 keeps behavior in an annotation and nothing else", () => {
    const { metadata } = convert("v2", "v2beta1", full);
    expect(Object.keys((metadata as { annotations: object }).annotations).sort()).toEqual([
      `${prefix}/behavior`,
      "own",
    ]);
  });
});

test.each<[ApiLevel, number, string]>([
  ["1.35", 0, "Invalid value: 0: must be greater than 0"],
  ["1.35", -1, "Invalid value: -1: must be greater than 0"],
  ["1.36", 0, "Required value: must be set and greater than 0"],
  ["1.36", -1, "Invalid value: -1: must be greater than or equal to 1"],
])("in the words of %s, at most %i replicas", (words, maxReplicas, problem) => {
  const { create } = kindUnderTest(horizontalPodAutoscalers(context));
  const body = { metadata: { name: "a" }, spec: { scaleTargetRef, maxReplicas } };
  const errors = withErrorTextsOf(minorOf(words), () => create(body).errors);
  expect(errors[0]).toBe(`spec.maxReplicas: ${problem}`);
});

describe("defaults", () => {
  test.each(["v2", "v2beta2"])("of %s", (name) => {
    const body = {
      metadata: { name: "a" },
      spec: { scaleTargetRef, maxReplicas: 3, behavior: { scaleDown: { selectPolicy: "Min" } } },
    };
    expect(convert(name, "v2", body)).toMatchObject({
      spec: {
        minReplicas: 1,
        metrics: [cpu(80)],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: "Max",
            policies: [
              { type: "Pods", value: 4, periodSeconds: 15 },
              { type: "Percent", value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: "Min", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
        },
      },
    });
  });

  test("of behavior in an annotation, since 1.26, when the stored version began to have them", () => {
    const annotations = { [`${prefix}/behavior`]: '{"ScaleUp":{"SelectPolicy":"Min"}}' };
    const behaviorAt = (level: ApiLevel) => {
      const { strategy, versions } = horizontalPodAutoscalers(testApiContext({ level }));
      const v1 = versions.find(({ version }) => version === "v1");
      if (v1 === undefined) throw new Error("no v1");
      const body = v1.codec.fromJson({ metadata: { name: "a", annotations }, spec: base });
      const object = convertToHub(v1, body);
      strategy.canonicalize?.(write, object);
      return object.spec.behavior;
    };
    expect(behaviorAt("1.26")).toEqual({ scaleUp: { selectPolicy: "Min" } });
    expect(behaviorAt("1.27")).toMatchObject({
      scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: "Min" },
      scaleDown: { selectPolicy: "Max" },
    });
  });

  test("an annotation without rules is no behavior", () => {
    const annotations = { [`${prefix}/behavior`]: "{}" };
    const object = convert("v1", "v2", { metadata: { name: "a", annotations }, spec: base });
    expect(object).not.toHaveProperty("spec.behavior");
  });

  test("of v2beta1", () => {
    const body = { metadata: { name: "a" }, spec: { scaleTargetRef, maxReplicas: 3 } };
    expect(convert("v2beta1", "v2", body)).toMatchObject({ spec: { minReplicas: 1, metrics: [cpu(80)] } });
  });
});

describe("validation", () => {
  function errorsOf(spec: Json, gates: { readonly [gate: string]: boolean } = {}): string[] {
    const kind = definitionOf(gates);
    const body = { metadata: { name: "a" }, spec: { ...base, ...spec } };
    const object = hubVersion(kind).codec.fromJson(JSON.parse(JSON.stringify(body)));
    hubVersion(kind).setDefaults(object);
    kind.strategy.prepareForCreate(write, object);
    return kind.strategy.validate(write, object).map(({ field, body: text }) => `${field}: ${text}`);
  }

  const target = (changes: Json) => ({
    metrics: [{ type: "Resource", resource: { name: "cpu", target: changes } }],
  });

  test.each([
    [{}, []],
    [{ metrics: everyMetric, behavior }, []],
    [{ minReplicas: -1 }, ["spec.minReplicas: Invalid value: -1: must be greater than or equal to 0"]],
    [
      { maxReplicas: 0 },
      [
        "spec.maxReplicas: Invalid value: 0: must be greater than 0",
        "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
      ],
    ],
    [
      { minReplicas: 0 },
      [
        "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
      ],
    ],
    [{ minReplicas: 0, metrics: [everyMetric[4]] }, []],
    [
      { scaleTargetRef: { kind: "", name: "a/b" } },
      [
        "spec.scaleTargetRef.kind: Required value",
        "spec.scaleTargetRef.name: Invalid value: \"a/b\": may not contain '/'",
      ],
    ],
    [
      { metrics: [{ type: "Other" }] },
      [
        'spec.metrics[0].type: Unsupported value: "Other": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "Other": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    ],
    [
      { metrics: [{ type: "Pods" }] },
      ["spec.metrics[0].pods: Required value: must populate information for the given metric source"],
    ],
    [
      { metrics: [{ ...everyMetric[1], resource: cpu(1).resource }] },
      ["spec.metrics[0].resource: Forbidden: must populate the given metric source only"],
    ],
    [
      target({ type: "Utilization", averageUtilization: 0 }),
      ["spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0"],
    ],
    [
      target({ type: "AverageValue", averageValue: "-1500m" }),
      [
        'spec.metrics[0].resource.target.averageValue: Invalid value: resource.Quantity{i:resource.int64Amount{value:-1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"-1500m", Format:"DecimalSI"}: must be positive',
      ],
    ],
    [
      target({ type: "Utilization" }),
      [
        "spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization",
      ],
    ],
    [
      target({ type: "Utilization", averageUtilization: 1, averageValue: "1" }),
      [
        "spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
      ],
    ],
    [
      { behavior: { scaleUp: { stabilizationWindowSeconds: 3601, selectPolicy: "Other" } } },
      [
        "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600",
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Other": supported values: "Disabled", "Max", "Min"',
      ],
    ],
    [
      { behavior: { scaleUp: { policies: [] }, scaleDown: { policies: [] } } },
      [
        "spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
        "spec.behavior.scaleDown.policies: Required value: must specify at least one Policy",
      ],
    ],
    [
      { behavior: { scaleDown: { policies: [{ type: "Other", value: 0, periodSeconds: 1801 }] } } },
      [
        'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Other": supported values: "Percent", "Pods"',
        "spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero",
        "spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
      ],
    ],
  ])("with %j", (spec, expected) => {
    expect(errorsOf(spec)).toEqual(expected);
  });

  test("the resource and the container of a metric have names", () => {
    const at = "spec.metrics[0].containerResource";
    const wrong = (name: string, container: string) => {
      const metric = { name, container, target: { type: "Utilization", averageUtilization: 5 } };
      return errorsOf(
        { metrics: [{ type: "ContainerResource", containerResource: metric }] },
        { HPAContainerMetrics: true },
      );
    };
    expect(wrong("cpu", "main")).toEqual([]);
    expect(wrong("MEMORY", "main")).toEqual([
      `${at}.name: Invalid value: "MEMORY": must be a standard resource type or fully qualified`,
      `${at}.name: Invalid value: "MEMORY": must be a standard resource for containers`,
    ]);
    // A qualified name is shown as a resource name, which has no quotes from 1.29 on. Any other is shown as text.
    expect(withErrorTextsOf(29, () => wrong("BAD NAME", "main"))).toEqual([
      expect.stringMatching(/name: Invalid value: "BAD NAME": name part must consist of/),
      `${at}.name: Invalid value: BAD NAME: must be a standard resource for containers`,
    ]);
    expect(wrong("cpu", "Main")).toEqual([
      expect.stringMatching(
        /containerResource\.container: Invalid value: "Main": a lowercase RFC 1123 label/,
      ),
    ]);
    expect(wrong("", "")).toEqual([
      `${at}.name: Required value: must specify a resource name`,
      `${at}.container: Required value: must specify a container`,
    ]);
  });

  test("gates", () => {
    const off = { HPAScaleToZero: false, HPAContainerMetrics: false };
    expect(errorsOf({ minReplicas: 0, metrics: [everyMetric[4]] }, off)).toEqual([
      "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
    ]);
    expect(errorsOf({ metrics: [everyMetric[3]] }, off)).toEqual([
      "spec.metrics[0].containerResource: Required value: must populate information for the given metric source (only allowed when HPAContainerMetrics feature is enabled)",
    ]);
  });
});

test("a row", () => {
  const metadata = { name: "a", creationTimestamp: "2022-01-01T00:00:00Z" };
  const object = toHub("v2", {
    ...full,
    metadata,
    spec: { ...base, metrics: [cpu(70), everyMetric[1], everyMetric[0]] },
  });
  const cells = definition.columns?.cells(object, new Date("2022-01-01T00:00:10Z"));
  expect(cells).toEqual(["a", "Deployment/web", "40%/70%, 2/1k + 1 more...", "2", 5, 2, "10s"]);
});

test("an average of objects can be updated in v1 since 1.36", () => {
  const updated = (level: ApiLevel) => {
    const kind = kindUnderTest(horizontalPodAutoscalers(testApiContext({ level })));
    const describedObject = { apiVersion: "v1", kind: "Service", name: "s" };
    const target = { type: "AverageValue", averageValue: "5" };
    const { object } = kind.create({
      metadata: { name: "h", namespace: "ns" },
      spec: {
        ...base,
        metrics: [{ type: "Object", object: { describedObject, target, metric: { name: "q" } } }],
      },
    });
    return kind.decode(kind.encode(object, "v1"), "v1").spec.metrics?.[0]?.object?.target;
  };
  const average = { type: "AverageValue", averageValue: "5" };
  expect(updated("1.35")).toEqual({ ...average, value: "0" });
  expect(updated("1.36")).toEqual(average);
});

test("rules without a tolerance say so in the annotation since 1.33", () => {
  const annotated = (level: ApiLevel) => {
    const kind = kindUnderTest(horizontalPodAutoscalers(testApiContext({ level })));
    const { object } = kind.create({
      metadata: { name: "h", namespace: "ns" },
      spec: { ...base, behavior: { scaleDown: { stabilizationWindowSeconds: 5 } } },
    });
    return JSON.stringify(kind.encode(object, "v1")).includes('Tolerance\\":null');
  };
  expect(annotated("1.32")).toBe(false);
  expect(annotated("1.33")).toBe(true);
});

test("the tolerance is kept in every version, and is not negative", () => {
  const kind = kindUnderTest(horizontalPodAutoscalers(testApiContext({ level: "1.35" })));
  const given = (tolerance: string) => ({
    metadata: { name: "h", namespace: "ns" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      maxReplicas: 2,
      behavior: { scaleUp: { tolerance } },
    },
  });
  const { object, errors } = kind.create(given("50m"));
  expect(errors).toEqual([]);
  const older = kind.encode(object, "v1");
  expect(older).toMatchObject({
    metadata: { annotations: { [`${prefix}/behavior`]: expect.stringContaining('"Tolerance":"50m"}') } },
  });
  expect(kind.decode(older, "v1").spec.behavior?.scaleUp?.tolerance).toBe("50m");
  expect(kind.create(given("-1")).errors).toEqual([
    'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
  ]);
});

test.each<[ApiLevel, string, string, string[]]>([
  ["1.33", "Deployment", "a/b/c", []],
  ["1.34", "Deployment", "a/b/c", ['"a/b/c": unexpected GroupVersion string: a/b/c']],
  ["1.36", "Deployment", "", ['"": apiVersion must specify API group']],
  ["1.34", "ReplicationController", "v1", []],
  ["1.36", "Deployment", "apps/v1", []],
])("at %s, a target %s of version %s", (level, targetKind, apiVersion, problems) => {
  const kind = kindUnderTest(horizontalPodAutoscalers(testApiContext({ level })));
  const given = (maxReplicas: number) => ({
    metadata: { name: "h", namespace: "ns" },
    spec: { scaleTargetRef: { apiVersion, kind: targetKind, name: "d" }, maxReplicas },
  });
  expect(kind.create(given(2)).errors).toEqual(
    problems.map((problem) => `spec.scaleTargetRef.apiVersion: Invalid value: ${problem}`),
  );
  expect(kind.update(given(3), given(2)).errors).toEqual([]);
});

test("the objects of metrics are of a version since 1.34, unless an old one was not", () => {
  const kind = kindUnderTest(horizontalPodAutoscalers(testApiContext({ level: "1.35" })));
  const given = (apiVersion: string) => ({
    metadata: { name: "h", namespace: "ns" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      maxReplicas: 2,
      metrics: [
        {
          type: "Object",
          object: {
            describedObject: { apiVersion, kind: "Service", name: "s" },
            metric: { name: "m" },
            target: { type: "Value", value: "1" },
          },
        },
      ],
    },
  });
  expect(kind.create(given("v1")).errors).toEqual([]);
  expect(kind.create(given("a/b/c")).errors).toEqual([
    'spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ]);
  expect(kind.update(given("a/b/d"), given("a/b/c")).errors).toEqual([]);
});

test("up to 1.26 an autoscaler is stored as v1, which keeps one target of the CPU, behind the others", () => {
  const cpu = (averageUtilization: number) => ({
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
  });
  const average = { type: "AverageValue", averageValue: "10" };
  const pods = (target: JsonObject) => ({ type: "Pods", pods: { metric: { name: "q" }, target } });
  const sent = [cpu(1), pods({ ...average, value: "1" }), cpu(2)];
  const stored = (level: ApiLevel) => {
    const definition = horizontalPodAutoscalers(testApiContext({ level }));
    const kind = kindUnderTest(definition);
    const { object } = kind.create({
      metadata: { name: "h", namespace: "ns" },
      spec: { ...base, metrics: sent },
    });
    definition.strategy.canonicalize?.(testWriteContext(), object);
    return kind.encode(object, "v2");
  };
  expect(stored("1.26")).toHaveProperty("spec.metrics", [pods(average), cpu(1)]);
  expect(stored("1.27")).toHaveProperty("spec.metrics", sent);
});

test("v1 has the first target that is a share of the CPU, whatever stands before it", () => {
  const kind = kindUnderTest(horizontalPodAutoscalers(testApiContext({ level: "1.36" })));
  const cpu = (target: JsonObject) => ({ type: "Resource", resource: { name: "cpu", target } });
  const { object } = kind.create({
    metadata: { name: "h", namespace: "ns" },
    spec: {
      ...base,
      metrics: [
        cpu({ type: "AverageValue", averageValue: "100m" }),
        cpu({ type: "Utilization", averageUtilization: 5 }),
      ],
    },
  });
  expect(kind.encode(object, "v1")).toHaveProperty("spec.targetCPUUtilizationPercentage", 5);
});
