import { expect, test } from "vitest";
import {
  isDiscoveryDocumentGroup,
  isMetaGroup,
  parseMediaTypeName,
  stemInEitherProfile,
} from "./either-profile.js";

test.each([
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  ["application/vnd.orch.protobuf", "protobuf"],
  ["application/vnd.kubernetes.protobuf", "protobuf"],
  ["Application/Vnd.Kubernetes.Protobuf", "protobuf"],
  ["application/strategic-merge-patch+json", "strategicMergePatch"],
  ["application/apply-patch+yaml", "applyPatch"],
  ["application/vnd.other.protobuf", undefined],
  ["text/html", undefined],
] as const)("media type %s is %s", (name, format) => {
  expect(parseMediaTypeName(name)).toBe(format);
});

test("the meta and discovery groups are known in both profiles' words", () => {
  expect(isMetaGroup("meta.orch.io")).toBe(true);
  expect(isMetaGroup("meta.k8s.io")).toBe(true);
  expect(isMetaGroup("meta.example.com")).toBe(false);
  expect(isMetaGroup("meta")).toBe(false);
  expect(isDiscoveryDocumentGroup("apidiscovery.k8s.io")).toBe(true);
  expect(isDiscoveryDocumentGroup("discovery.k8s.io")).toBe(false);
});

test("a subprotocol's stem is found in both profiles' words", () => {
  expect(stemInEitherProfile("v4.channel.k8s.io")).toBe("v4.channel");
  expect(stemInEitherProfile("v4.channel.orch.io")).toBe("v4.channel");
  expect(stemInEitherProfile("v4.channel")).toBeUndefined();
});
