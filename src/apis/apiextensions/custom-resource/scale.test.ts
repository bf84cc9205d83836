import { expect, test } from "vitest";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { customScale, validateScaleSpec, validateScaleStatus } from "./scale.js";

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

test.each<[spec: unknown, why: string]>([
  ["x", ".spec.size accessor error: x is of the type string, expected map[string]interface{}"],
  [[], ".spec.size accessor error: [] is of the type []interface {}, expected map[string]interface{}"],
  [
    { size: true },
    ".spec.size.replicas accessor error: true is of the type bool, expected map[string]interface{}",
  ],
  [
    { size: { replicas: "3" } },
    ".spec.size.replicas accessor error: 3 is of the type string, expected int64",
  ],
])("a specification %j has no count", (spec, why) => {
  expect(errorTexts(validateScaleSpec(ofObject({ spec }), paths))).toEqual([
    `.spec.size.replicas: Invalid value: 0: ${why}`,
  ]);
});

test("a status that has no fields has neither count nor selector, and one that is null is none", () => {
  const why = "accessor error: 5 is of the type int64, expected map[string]interface{}";
  expect(errorTexts(validateScaleStatus(ofObject({ status: 5 }), paths))).toEqual([
    `.status.replicas: Invalid value: 0: .status.replicas ${why}`,
    `.status.selector: Invalid value: "": .status.selector ${why}`,
  ]);
  expect(validateScaleStatus(ofObject({ status: null }), paths)).toEqual([]);
  expect(validateScaleSpec(ofObject({ spec: { size: null } }), paths)).toEqual([]);
});

test.each<[object | number, string]>([
  [{ a: 1 }, "map[a:1] is of the type map[string]interface {}"],
  [["a", null], "[a <nil>] is of the type []interface {}"],
  [1e300, "1e+300 is of the type float64"],
])("a count that is %j is shown as Go prints it", (replicas, shown) => {
  expect(errorTexts(validateScaleSpec(ofObject({ spec: { size: { replicas } } }), paths))).toEqual([
    `.spec.size.replicas: Invalid value: 0: .spec.size.replicas accessor error: ${shown}, expected int64`,
  ]);
});
