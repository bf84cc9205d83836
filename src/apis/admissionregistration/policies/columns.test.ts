import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { validatingAdmissionPolicyBindings } from "./validating-policies.js";

const level = "1.36";
const bindings = kindUnderTest(validatingAdmissionPolicyBindings(testApiContext({ level })), level);

test.each<[JsonObject, string]>([
  [{}, "<unset>"],
  [{ paramRef: { name: "a" } }, "*/a"],
  [{ paramRef: { name: "a", namespace: "n" } }, "n/a"],
  [
    {
      paramRef: {
        namespace: "n",
        selector: {
          matchLabels: { b: "2", a: "1" },
          matchExpressions: [{ key: "c", operator: "In", values: ["x", "y"] }],
        },
      },
    },
    "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[x y],},},}",
  ],
])("parameters %j are shown as %s", (spec, text) => {
  const binding = { metadata: { name: "b" }, spec: { policyName: "p", ...spec } };
  expect(bindings.cells(binding)).toEqual(["b", "p", text, "<unknown>"]);
});
