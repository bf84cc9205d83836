import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { leases } from "./resource.js";

const lease = kindUnderTest(leases(testApiContext()));
const json = {
  metadata: { name: "l" },
  spec: {
    holderIdentity: "a",
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
    renewTime: "2021-12-31T23:59:00.000000Z",
  },
};

test("a held lease", () => {
  expect(lease.create(json).errors).toEqual([]);
  expect(lease.cells(json)).toEqual(["l", "a", "<unknown>"]);
  expect(lease.cells({})).toEqual(["", "", "<unknown>"]);
});

test.each([
  ["spec.leaseDurationSeconds", 0, ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"]],
  [
    "spec.leaseTransitions",
    -1,
    ["spec.leaseTransitions: Invalid value: -1: must to greater or equal than 0"],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(lease.create(changed(json, path, value)).errors).toEqual(errors);
  expect(lease.update(changed(json, path, value), json).errors).toEqual(errors);
});

test("may be made by a write to its name, but not be overwritten blindly", () => {
  const { strategy } = leases(testApiContext());
  expect(strategy.allowCreateOnUpdate).toBe(true);
  expect(strategy.allowUnconditionalUpdate).toBe(false);
});
