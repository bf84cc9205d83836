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

test.each(["1.31", "1.33", "1.36"] as const)(
  "at %s a preferred holder needs a strategy, while the gate is on",
  (level) => {
    const gates = { CoordinatedLeaderElection: true };
    const at = kindUnderTest(leases(testApiContext({ level, gates })), level);
    const preferring = changed(json, "spec.preferredHolder", "b");
    expect(at.create(preferring).errors).toEqual([
      "spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined",
    ]);
    expect(at.create(changed(preferring, "spec.strategy", "OldestEmulationVersion")).errors).toEqual([]);
    const off = kindUnderTest(leases(testApiContext({ level })), level);
    expect(off.encode(off.create(preferring).object)).not.toHaveProperty("spec.preferredHolder");
  },
);

test("1.30 knows no preferred holder", () => {
  const at = kindUnderTest(leases(testApiContext({ level: "1.30" })), "1.30");
  expect(() => at.create(changed(json, "spec.preferredHolder", "b"))).toThrow("has no field");
});

test("may be made by a write to its name, but not be overwritten blindly", () => {
  const { strategy } = leases(testApiContext());
  expect(strategy.allowCreateOnUpdate).toBe(true);
  expect(strategy.allowUnconditionalUpdate).toBe(false);
});
