/**
 * Names that a client may use in either profile's words with any server: media types, the meta group in `Accept`, WebSocket
 * subprotocols. The answer uses the name from the request.
 */

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

const groupDomains = [".orch.io", ".k8s.io"] as const;

/** The stem of a name qualified in either profile: `v4.channel.k8s.io` → `v4.channel`; undefined for any other. */
export function stemInEitherProfile(name: string): string | undefined {
  for (const domain of groupDomains) {
    if (name.endsWith(domain)) return name.slice(0, -domain.length);
  }
  return undefined;
}

/** Whether `group`, as in `application/json;as=Table;g=<group>`, is the meta group of either profile. */
export function isMetaGroup(group: string): boolean {
  return stemInEitherProfile(group) === "meta";
}

/** Whether `group` is either profile's group for configurations and for what components say about themselves. */
export function isComponentConfigGroup(group: string): boolean {
  return stemInEitherProfile(group) === "config";
}

/** Whether `group` is the aggregated discovery group of either profile. */
export function isDiscoveryDocumentGroup(group: string): boolean {
  return stemInEitherProfile(group) === "apidiscovery";
}
