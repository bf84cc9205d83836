import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { networkPolicies } from "./resource.js";

const policy: JsonObject = { metadata: { name: "p" }, spec: { podSelector: {} } };
const condition = { type: "Accepted", status: "True", reason: "Fine", message: "" };
const accepted = {
  ...policy,
  status: { conditions: [{ ...condition, lastTransitionTime: "2022-01-01T00:00:00Z" }] },
};

test("a policy has a status while its gate is on, from 1.24 to 1.27", () => {
  const gates = { NetworkPolicyStatus: true };
  const kind = kindUnderTest(networkPolicies(testApiContext({ level: "1.24", gates })), "1.24");
  expect(kind.create(accepted).object.status).toEqual({});
  expect(kind.update(accepted, policy).object.status?.conditions).toBeUndefined();
  const { object, errors } = kind.update(accepted, policy, "status");
  expect([object.status?.conditions?.length, errors]).toEqual([1, []]);
  const wrong = { ...policy, status: { conditions: [{ ...condition, status: "Perhaps" }] } };
  expect(kind.update(wrong, policy, "status").errors).toEqual([
    expect.stringMatching(/^status\.conditions\[0\]\.status: Unsupported value: "Perhaps"/),
    "status.conditions[0].lastTransitionTime: Required value: must be set",
  ]);
});

test.each(["1.24", "1.27"] as const)(
  "without the gate a status at %s can be cleared, but not set",
  (level) => {
    const kind = kindUnderTest(networkPolicies(testApiContext({ level })), level);
    const none = { ...policy, status: {} };
    expect(kind.update(accepted, none, "status").object.status?.conditions).toBeUndefined();
    expect(kind.update(none, accepted, "status").object.status).toEqual({});
    const other = {
      ...accepted,
      status: { conditions: [{ ...accepted.status.conditions[0], status: "False" }] },
    };
    expect(kind.update(other, accepted, "status").object.status).toEqual(accepted.status);
    expect(kind.update(none, accepted).object.status).toEqual(accepted.status);
    expect(kind.create(accepted).object.status).toEqual(accepted.status);
  },
);

test.each([
  ["1.23", {}],
  ["1.28", { NetworkPolicyStatus: true }],
  ["1.36", { NetworkPolicyStatus: true }],
] as const)("at %s with the gates %j it has none", (level, gates) => {
  const kind = kindUnderTest(networkPolicies(testApiContext({ level, gates })), level);
  expect(() => kind.update(policy, policy, "status")).toThrow("no part status");
});
