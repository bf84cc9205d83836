import { expect, test } from "vitest";
import { isDiscoveryDocumentGroup, isMetaGroup, stemOf } from "./qualified-names.js";

test("the meta and discovery groups are known in both profiles' words", () => {
  expect(isMetaGroup("meta.orch.io")).toBe(true);
  expect(isMetaGroup("meta.k8s.io")).toBe(true);
  expect(isMetaGroup("meta.example.com")).toBe(false);
  expect(isMetaGroup("meta")).toBe(false);
  expect(isDiscoveryDocumentGroup("apidiscovery.k8s.io")).toBe(true);
  expect(isDiscoveryDocumentGroup("discovery.k8s.io")).toBe(false);
});

test("a subprotocol's stem is found in both profiles' words", () => {
  expect(stemOf("v4.channel.k8s.io")).toBe("v4.channel");
  expect(stemOf("v4.channel.orch.io")).toBe("v4.channel");
  expect(stemOf("v4.channel")).toBeUndefined();
});
