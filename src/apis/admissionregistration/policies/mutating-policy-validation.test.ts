import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts, kindUnderTest } from "../../testing/kind-under-test.js";
import { mutatingAdmissionPolicyBindings } from "./mutating-policies.js";
import { validateMutatingBinding } from "./mutating-policy-validation.js";

test("bindings of mutating policies cannot select deletions", () => {
  const { decode } = kindUnderTest(
    mutatingAdmissionPolicyBindings(testApiContext({ level: "1.35" })),
    "1.35",
  );
  const errors = (operations: string[]) => {
    const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations };
    const spec = { policyName: "p", matchResources: { resourceRules: [rule] } };
    return errorTexts(validateMutatingBinding(decode({ metadata: { name: "b" }, spec }), "1.35"));
  };
  expect(errors(["CREATE", "UPDATE"])).toEqual([]);
  expect(errors(["DELETE"])).toEqual([
    'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
  ]);
});

test("what happens without parameters has a default in v1alpha1 alone", () => {
  const { decode } = kindUnderTest(
    mutatingAdmissionPolicyBindings(testApiContext({ level: "1.35" })),
    "1.35",
  );
  const object = { metadata: { name: "b" }, spec: { policyName: "p", paramRef: { name: "q" } } };
  expect(decode(object, "v1alpha1").spec.paramRef).toEqual({ name: "q", parameterNotFoundAction: "Deny" });
  expect(decode(object, "v1beta1").spec.paramRef).toEqual({ name: "q" });
});
