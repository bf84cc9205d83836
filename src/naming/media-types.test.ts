import { expect, test } from "vitest";
import { parseMediaTypeName } from "./media-types.js";

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
