import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { statefulSets } from "../../apps/stateful-set/resource.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { persistentVolumes } from "../persistent-volume/resource.js";
import { pods } from "./resource.js";

const nodeSelectorTerms = [{ matchExpressions: [{ key: "zone", operator: "In", values: ["not a label"] }] }];
const values = expect.stringMatching(
  /nodeSelectorTerms\[0\]\.matchExpressions\[0\]\.values\[0\]: Invalid value/,
);

test.each<[ApiLevel, unknown[]]>([
  ["1.32", []],
  ["1.33", [values]],
  ["1.36", [values]],
])("values that nodes must have, at %s", (level, errors) => {
  const context = testApiContext({ level });
  const pod: JsonObject = {
    metadata: { name: "p" },
    spec: {
      containers: [{ name: "c", image: "i", terminationMessagePolicy: "File" }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: nodeSelectorTerms[0] ?? {} },
          ],
        },
      },
    },
  };
  const kind = kindUnderTest(pods(context), level);
  expect(kind.create(pod).errors).toEqual(errors);
  // What was stored before may stay.
  expect(kind.update(pod, pod).errors).toEqual([]);

  const volume: JsonObject = {
    metadata: { name: "v" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      local: { path: "/data" },
      nodeAffinity: { required: { nodeSelectorTerms } },
    },
  };
  expect(kindUnderTest(persistentVolumes(context), level).create(volume).errors).toEqual(errors);
});

test.each<[ApiLevel, boolean]>([
  ["1.26", true],
  ["1.27", false],
  ["1.36", false],
])("a stateful set may have dots in its name, at %s: %s", (level, may) => {
  const { strategy } = statefulSets(testApiContext({ level }));
  expect(strategy.validateName("a.b", false).length === 0).toBe(may);
});
