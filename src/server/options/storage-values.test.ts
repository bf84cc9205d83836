import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import {
  storageBackend,
  storageMediaType,
  storeServersOverrides,
  watchCacheSizes,
} from "./storage-values.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");

test("overrides of servers name group, resource and servers; the core group is empty", () => {
  expect(
    storeServersOverrides.parse(
      "/events#http://a:1;https://b:2,apps/deployments#http://c:3",
      undefined,
      orch,
      "1.23",
    ),
  ).toEqual({
    value: [
      { group: "", resource: "events", servers: ["http://a:1", "https://b:2"] },
      { group: "apps", resource: "deployments", servers: ["http://c:3"] },
    ],
  });
});

test.each(["events#http://a:1", "/events", "/events#a:1", "a/b/c#http://a:1", "/events#http://a:1;"])(
  "override %j is refused with the form it must have",
  (given) => {
    expect(storeServersOverrides.parse(given, undefined, orch, "1.23")).toHaveProperty(
      "problem",
      expect.stringContaining("must be of format: group/resource#servers"),
    );
  },
);

test("watch cache sizes split the resource from its group at the first dot and add up", () => {
  const first = watchCacheSizes.parse(
    "pods#1000,apiservices.apiregistration.orch.io#5",
    undefined,
    orch,
    "1.23",
  );
  if ("problem" in first) throw new Error(first.problem);
  expect(watchCacheSizes.parse("nodes#0", first.value, orch, "1.23")).toEqual({
    value: [
      { group: "", resource: "pods", size: 1000 },
      { group: "apiregistration.orch.io", resource: "apiservices", size: 5 },
      { group: "", resource: "nodes", size: 0 },
    ],
  });
});

test.each([
  ["pods", "invalid value of watch cache size: pods (expected resource[.group]#size)"],
  ["pods#1#2", "invalid value of watch cache size: pods#1#2 (expected resource[.group]#size)"],
  ["pods#x", "invalid size of watch cache size: pods#x"],
  ["pods#-1", "watch cache size cannot be negative: pods#-1"],
])("watch cache size %j is refused", (given, problem) => {
  expect(watchCacheSizes.parse(given, undefined, orch, "1.23")).toEqual({ problem });
});

test("the storage media type is understood in both profiles' words and shown in the server's own", () => {
  for (const name of ["application/vnd.orch.protobuf", "application/vnd.kubernetes.protobuf"]) {
    expect(storageMediaType.parse(name, undefined, orch, "1.23")).toEqual({ value: "protobuf" });
  }
  expect(storageMediaType.parse("application/json", undefined, orch, "1.23")).toEqual({ value: "json" });
  expect(storageMediaType.parse("", undefined, orch, "1.23")).toEqual({ value: "json" });
  expect(storageMediaType.parse("application/yaml", undefined, orch, "1.23")).toHaveProperty("problem");
  expect(storageMediaType.format("protobuf", kubernetes)).toBe("application/vnd.kubernetes.protobuf");
});

test("the one storage backend goes by the profile's name", () => {
  expect(storageBackend.parse("store3", undefined, orch, "1.23")).toEqual({ value: "store3" });
  expect(storageBackend.parse("etcd3", undefined, orch, "1.23")).toHaveProperty("problem");
  expect(storageBackend.parse("etcd3", undefined, kubernetes, "1.23")).toEqual({ value: "store3" });
  expect(storageBackend.format("store3", kubernetes)).toBe("etcd3");
});
