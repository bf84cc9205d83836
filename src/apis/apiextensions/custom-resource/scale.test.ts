import { expect, test } from "vitest";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
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

const paths = {
  specReplicasPath: ".spec.size.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};

const ofObject = (members: object) => ({ metadata: { name: "one" }, ...members }) as ApiObject; // of a custom kind

test("a Scale shows what the paths of the definition lead to", () => {
  const view = customScale(paths, () => undefined);
  const object = ofObject({
    spec: { size: { replicas: 3 } },
    status: { replicas: 2n, selector: "app=boat,tier in (a,b)" },
  });
  expect(view.specReplicas(object)).toBe(3);
  expect(view.statusReplicas(object)).toBe(2);
  expect(view.selector(object)).toBe("app=boat,tier in (a,b)");
});

test("a Scale of an object that says nothing has zeros and no selector", () => {
  const view = customScale(paths, () => undefined);
  const object = ofObject({ status: { replicas: "many", selector: 5 } });
  expect([view.specReplicas(object), view.statusReplicas(object), view.selector(object)]).toEqual([0, 0, ""]);
  const unselected = customScale({ ...paths, labelSelectorPath: undefined }, () => undefined);
  expect(unselected.selector(ofObject({ status: { selector: "a=b" } }))).toBe("");
});
