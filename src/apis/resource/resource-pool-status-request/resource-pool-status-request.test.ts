import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { resourcePoolStatusRequests } from "./resource.js";

const requests = kindUnderTest(resourcePoolStatusRequests(testApiContext({ level: "1.36" })), "1.36");

function requestOf(spec: JsonObject, status?: JsonObject): JsonObject {
  return { metadata: { name: "r" }, spec, ...(status !== undefined && { status }) };
}

const plain = { driver: "d.example.org" };
const pool = { driver: "d.example.org", poolName: "p", generation: 1 };

test("a request asks for a hundred pools unless it says otherwise", () => {
  const { object, errors } = requests.create(requestOf(plain, { poolCount: 1 }));
  expect(errors).toEqual([]);
  expect(object.spec.limit).toBe(100);
  expect(object.status).toBeUndefined();
});

test.each<[JsonObject, string[]]>([
  [{ driver: "" }, ["spec.driver: Required value"]],
  [{ ...plain, limit: 0 }, ["spec.limit: Invalid value: 0: must be greater than or equal to 1"]],
  [{ ...plain, limit: 1001 }, ["spec.limit: Invalid value: 1001: must be less than or equal to 1000"]],
  [{ ...plain, poolName: "" }, ['spec.poolName: Invalid value: "": segment 0: must not be empty']],
  [
    { driver: "d_", poolName: "a/B" },
    [
      expect.stringMatching(
        /^spec\.driver: Invalid value: "d_": an RFC 1123 subdomain must consist of alpha/,
      ),
      expect.stringMatching(/^spec\.poolName: Invalid value: "B": segment 1: a lowercase RFC 1123 subdomain/),
    ],
  ],
])("%j is refused", (spec, errors) => {
  expect(requests.create(requestOf(spec)).errors).toEqual(errors);
});

test("it does not change, and is answered once", () => {
  const update = (status: JsonObject, old?: JsonObject) =>
    requests.update(requestOf(plain, status), requestOf(plain, old), "status").errors;
  expect(requests.update(requestOf({ ...plain, limit: 5 }), requestOf(plain)).errors).toEqual([
    expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
  ]);
  expect(update({ poolCount: 1, pools: [pool] })).toEqual([]);
  expect(
    update({ pools: [{ ...pool, driver: "", totalDevices: -1, validationError: "a".repeat(257) }] }),
  ).toEqual([
    "status.poolCount: Required value",
    "status.pools[0].driver: Required value",
    "status.pools[0].totalDevices: Invalid value: -1: must be greater than or equal to 0",
    "status.pools[0].validationError: Too long: must have at most 256 bytes",
  ]);
  expect(update({ poolCount: 2 }, { poolCount: 1 })).toEqual([
    expect.stringMatching(/^status: Invalid value: .*: field is immutable$/),
  ]);
});

test("its driver may have a long name, in letters of either case", () => {
  expect(requests.create(requestOf({ driver: `D.${"x".repeat(64)}` })).errors).toEqual([]);
});

test("a table counts the devices of all its pools", () => {
  const counted = { ...pool, totalDevices: 3, allocatedDevices: 1, availableDevices: 2 };
  const condition = { type: "Complete", status: "True", lastTransitionTime: "2022-01-01T00:00:00Z" };
  const status = {
    poolCount: 3,
    pools: [counted, { ...counted, validationError: "x" }],
    conditions: [condition],
  };
  const cells = (of?: JsonObject) => requests.cells(requestOf(plain, of)).slice(1, 9);
  expect(cells()).toEqual(["d.example.org", "-", "-", "-", "-", "-", 0, "Pending"]);
  expect(cells(status)).toEqual(["d.example.org", "6", "4", "2", "0", "1", 3, "Complete (2/3 pools)"]);
  const failed = { ...status, conditions: [{ ...condition, type: "Failed" }] };
  expect(cells(failed)).toEqual(["d.example.org", "-", "-", "-", "-", "-", 3, "Failed"]);
});
