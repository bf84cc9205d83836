/** Media types that a client may name in either profile's words with any server. The answer uses the name from the request. */

export type MediaTypeName =
  | "json"
  | "yaml"
  | "protobuf"
  | "cbor"
  | "jsonPatch"
  | "mergePatch"
  | "strategicMergePatch"
  | "applyPatch"
  | "applyPatchCbor"
  | "openApiV2Protobuf"
  | "openApiV3Protobuf";

const mediaTypeNames: ReadonlyMap<string, MediaTypeName> = new Map<string, MediaTypeName>([
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  ["application/vnd.orch.protobuf", "protobuf"],
  ["application/vnd.kubernetes.protobuf", "protobuf"],
  ["application/cbor", "cbor"],
  ["application/json-patch+json", "jsonPatch"],
  ["application/merge-patch+json", "mergePatch"],
  ["application/strategic-merge-patch+json", "strategicMergePatch"],
  ["application/apply-patch+yaml", "applyPatch"],
  ["application/apply-patch+cbor", "applyPatchCbor"],
  ["application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "openApiV2Protobuf"],
  ["application/com.github.proto-openapi.spec.v3@v1.0+protobuf", "openApiV3Protobuf"],
  // Media types must not contain an "@", so newer clients use these names, and understand only these in an answer.
  ["application/com.github.proto-openapi.spec.v2.v1.0+protobuf", "openApiV2Protobuf"],
  ["application/com.github.proto-openapi.spec.v3.v1.0+protobuf", "openApiV3Protobuf"],
]);

/** The format behind `type/subtype` (any case, no parameters) in either profile's words; undefined when unknown. */
export function parseMediaTypeName(name: string): MediaTypeName | undefined {
  return mediaTypeNames.get(name) ?? mediaTypeNames.get(name.toLowerCase());
}
