import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { pods } from "./resource.js";

const pod: JsonObject = {
  metadata: { name: "p" },
  spec: {
    nodeName: "n",
    containers: [
      { name: "c", image: "i", terminationMessagePolicy: "File", resources: { requests: { "a.b/gpu": 1 } } },
    ],
  },
};
const health = [{ name: "a.b/gpu", resources: [{ resourceID: "gpu-0", health: "Healthy" }] }];
const withHealth: JsonObject = {
  ...pod,
  status: {
    containerStatuses: [
      { name: "c", image: "i", imageID: "", ready: true, restartCount: 0, allocatedResourcesStatus: health },
    ],
  },
};

test.each<[ApiLevel, boolean | undefined, boolean]>([
  ["1.31", undefined, true],
  ["1.33", undefined, false],
  ["1.33", true, true],
  ["1.35", undefined, false],
  ["1.36", undefined, true],
])("at %s, with the gate %s, a container's status tells the health of devices: %s", (level, gate, tells) => {
  const gates = gate === undefined ? {} : { ResourceHealthStatus: gate };
  const kind = kindUnderTest(pods(testApiContext({ level, gates })), level);
  const { object, errors } = kind.update(withHealth, pod, "status");
  expect(errors).toEqual([]);
  expect(object.status?.containerStatuses?.[0]?.allocatedResourcesStatus).toEqual(tells ? health : undefined);
});

test("before 1.31 there is no such field", () => {
  const kind = kindUnderTest(pods(testApiContext({ level: "1.30" })), "1.30");
  expect(() => kind.update(withHealth, pod, "status")).toThrow("allocatedResourcesStatus");
});

const reported: JsonObject = {
  allocatedResources: { cpu: "1" },
  resources: { limits: { cpu: "1" }, claims: [{ name: "gpu" }] },
};

test.each<[ApiLevel, JsonObject, JsonObject]>([
  ["1.30", reported, reported],
  ["1.32", reported, reported],
  ["1.33", { ...reported, stopSignal: "SIGTERM" }, { ...reported, stopSignal: "SIGTERM" }],
  ["1.36", { ...reported, stopSignal: "SIGTERM" }, { ...reported, stopSignal: "SIGTERM" }],
])(
  "at %s, of %j the status of a container keeps %j, whatever gates the fields of a spec have",
  (level, sent, kept) => {
    const kind = kindUnderTest(pods(testApiContext({ level })), level);
    const required = { name: "c", image: "i", imageID: "", ready: true, restartCount: 0 };
    const containerStatuses = [{ ...required, ...sent }];
    const { object, errors } = kind.update({ ...pod, status: { containerStatuses } }, pod, "status");
    expect(errors).toEqual([]);
    const { allocatedResources, resources, stopSignal } = object.status?.containerStatuses?.[0] ?? {};
    expect({ allocatedResources, resources, stopSignal }).toEqual(kept);
  },
);

test.each<[ApiLevel, string | undefined]>([
  ["1.31", undefined],
  ["1.32", "BestEffort"],
])("at %s, a status without a class makes it %s", (level, made) => {
  const kind = kindUnderTest(pods(testApiContext({ level })), level);
  const withClass = { ...pod, status: { qosClass: "BestEffort" } };
  const { object, errors } = kind.update({ ...pod, status: {} }, withClass, "status");
  expect([object.status?.qosClass, errors]).toEqual([made, []]);
});
