import { expect, test } from "vitest";
import { customScale } from "./scale.js";

const scale = customScale(
  { specReplicasPath: ".spec.crew.size", statusReplicasPath: ".status.size" },
  () => undefined,
);

test("an object without a count has no scale to read", () => {
  const object = { metadata: { name: "a" }, spec: { crew: {} } };
  expect(scale.problem?.(object)).toBe('the spec replicas field ".spec.crew.size" does not exist');
  scale.setSpecReplicas(object, 3);
  expect(object.spec).toEqual({ crew: { size: 3 } });
  expect(scale.problem?.(object)).toBeUndefined();
});
