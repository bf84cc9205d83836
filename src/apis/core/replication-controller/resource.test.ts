import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { hubVersion } from "../../definition/resource-definition.js";
import type { ReplicationController } from "../../gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { replicationControllers } from "./resource.js";
import { validateReplicationControllerStatus } from "./validation.js";

const context = testApiContext();
const definition = replicationControllers(context);
const { strategy } = definition;
const write = testWriteContext();
const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "app", image: "app:1" }] },
};

function controller(spec: JsonObject, metadata: JsonObject = {}): ReplicationController {
  const object = context.schemas
    .codec<ReplicationController>("core/v1.ReplicationController")
    .fromJson({ metadata: { name: "rc", namespace: "ns", ...metadata }, spec });
  hubVersion(definition).setDefaults(object);
  return object;
}

test("selector and labels follow the template's labels", () => {
  const object = controller({ template });
  expect(object.spec.replicas).toBe(1);
  expect(object.spec.selector).toEqual({ app: "web" });
  expect(object.metadata.labels).toEqual({ app: "web" });
  expect(object.spec.template?.spec.restartPolicy).toBe("Always");
  const given = controller({ template, replicas: 0, selector: { a: "b" } }, { labels: { c: "d" } });
  expect([given.spec.replicas, given.spec.selector, given.metadata.labels]).toEqual([
    0,
    { a: "b" },
    { c: "d" },
  ]);
});

test.each<[JsonObject, string[]]>([
  [{ template }, []],
  [{}, ["spec.selector: Required value", "spec.template: Required value"]],
  [
    { template, replicas: -1, minReadySeconds: -1 },
    [
      "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
    ],
  ],
  [
    { template, selector: { app: "other" } },
    [
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: `selector` does not match template `labels`',
    ],
  ],
  [
    {
      template: { ...template, spec: { ...template.spec, restartPolicy: "Never", activeDeadlineSeconds: 1 } },
    },
    [
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported",
    ],
  ],
  [
    {
      replicas: 2,
      template: {
        ...template,
        spec: { ...template.spec, volumes: [{ name: "v", gcePersistentDisk: { pdName: "p" } }] },
      },
    },
    [
      "spec.template.spec.volumes[0].gcePersistentDisk.readOnly: Invalid value: false: must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only",
    ],
  ],
])("%j: %j", (spec, expected) => {
  const object = controller(spec);
  expect(errorTexts(strategy.validate(write, object))).toEqual(expected);
  expect(errorTexts(strategy.validateUpdate(write, object, controller({ template })))).toEqual([
    ...expected,
    ...expected,
  ]);
});

test("errors are told once since 1.35, when also the rule of names is declared", () => {
  const none = controller({});
  const errorsAt = (level: ApiLevel) =>
    errorTexts(replicationControllers(testApiContext({ level })).strategy.validateUpdate(write, none, none));
  expect(errorsAt("1.34")).toHaveLength(4);
  expect(errorsAt("1.35")).toHaveLength(2);
  const { validateName } = replicationControllers(testApiContext({ level: "1.35" })).strategy;
  expect(validateName("x".repeat(254), false)).toEqual(["must be no more than 253 bytes"]);
  expect(validateName("Bad_", true)).toEqual([]);
});

test.each<[ApiLevel, string]>([
  ["1.26", "template.spec"],
  ["1.27", "spec.template.spec"],
])(
  "at %s, warnings name fields of a new template below %s, of one that is replaced below spec",
  (level, path) => {
    const nodeSelector = { "beta.kubernetes.io/os": "linux" };
    const object = controller({ template: { ...template, spec: { ...template.spec, nodeSelector } } });
    const { strategy } = replicationControllers(testApiContext({ level }));
    expect(strategy.warningsOnCreate?.(write, object)).toEqual([
      expect.stringMatching(new RegExp(`^${path}\\.nodeSelector`)),
    ]);
    const changed = { ...controller({}), metadata: { ...object.metadata, generation: 2 } };
    expect(strategy.warningsOnUpdate?.(write, changed, object)).toEqual([
      expect.stringMatching(/^spec\.template\.spec\.nodeSelector/),
    ]);
    const restored = { ...object, metadata: { ...object.metadata, generation: 3 } };
    expect(strategy.warningsOnUpdate?.(write, restored, changed)).toEqual([]);
  },
);

test.each<[ApiLevel, boolean]>([
  ["1.28", false],
  ["1.29", true],
  ["1.31", true],
])("at %s, several pods may mount a persistent disk for writing: %s", (level, allowed) => {
  const later = replicationControllers(testApiContext({ level }));
  const volumes = [{ name: "v", gcePersistentDisk: { pdName: "p" } }];
  const object = controller({ replicas: 2, template: { ...template, spec: { ...template.spec, volumes } } });
  expect(later.strategy.validate(write, object).length === 0).toBe(allowed);
});

test.each<[Partial<ReplicationController["status"]>, string[]]>([
  [{ replicas: 2, readyReplicas: 2, availableReplicas: 1 }, []],
  [
    { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
    [
      "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
    ],
  ],
  [
    { observedGeneration: -1 },
    ["status.observedGeneration: Invalid value: -1: must be greater than or equal to 0"],
  ],
])("status %j: %j", (status, expected) => {
  expect(errorTexts(validateReplicationControllerStatus({ replicas: 0, ...status }))).toEqual(expected);
});

test("generation counts changes of the spec; writes of either part keep the other", () => {
  const old = controller({ template });
  strategy.prepareForCreate(write, old);
  expect([old.metadata.generation, old.status]).toEqual([1, { replicas: 0 }]);
  const next = controller({ template, replicas: 3 });
  next.status = { replicas: 9 };
  strategy.prepareForUpdate(write, next, old);
  expect([next.metadata.generation, next.status]).toEqual([2, { replicas: 0 }]);
  const status = definition.subresources.find(({ name }) => name === "status");
  if (status?.kind !== "part") throw new Error("no status");
  const reported = controller({ template, replicas: 7 });
  reported.status = { replicas: 1 };
  status.strategy.prepareForUpdate(write, reported, old);
  expect([reported.spec.replicas, reported.status.replicas]).toEqual([1, 1]);
});

test("its scale, its row and its selectable field", () => {
  const object = controller({ template, replicas: 2, selector: { b: "2", app: "web" } });
  object.status = { replicas: 1 };
  const view = definition.subresources.find(({ kind }) => kind === "scale");
  if (view?.kind !== "scale") throw new Error("no scale");
  expect([view.scale.specReplicas(object), view.scale.statusReplicas(object)]).toEqual([2, 1]);
  expect(view.scale.selector(object)).toBe("app=web,b=2");
  view.scale.setSpecReplicas(object, 5);
  expect(object.spec.replicas).toBe(5);
  expect(definition.columns?.cells(object, new Date(0))).toEqual([
    "rc",
    5,
    1,
    0,
    "<unknown>",
    "app",
    "app:1",
    "app=web,b=2",
  ]);
  expect(definition.selectableFields.values(object)).toEqual({ "status.replicas": "1" });
});

test("a name that is no label is warned about since 1.27, as it becomes that of pods", () => {
  const warningsAt = (level: ApiLevel) =>
    replicationControllers(testApiContext({ level })).strategy.warningsOnCreate?.(
      write,
      controller({ template }, { name: "a.b" }),
    );
  expect(warningsAt("1.26")).toEqual([]);
  expect(warningsAt("1.27")).toEqual([
    expect.stringMatching(/^metadata.name: this is used in Pod names and hostnames, /),
  ]);
});
