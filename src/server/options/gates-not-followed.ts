import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";

/**
 * Gates of an API server that can be set at some level, but have no effect here yet: no source file names them. Made by
 * scripts/generate-gates-not-followed.ts; do not edit.
 */
export const gatesNotFollowed: ReadonlySet<FeatureGateName> = new Set<FeatureGateName>([
  "APIServingWithRoutine",
  "AdvancedAuditing",
  "AllowDNSOnlyNodeCSR",
  "AllowServiceExternalIPs",
  "BtreeWatchCache",
  "ConcurrentWatchObjectDecode",
  "DeclarativeValidation",
  "DeclarativeValidationBeta",
  "DeclarativeValidationTakeover",
  "DryRun",
  "DynamicNodeAgentConfig",
  "GRPCContainerProbe",
  "GangScheduling",
  "GitRepoVolumeDriver",
  "LegacyServiceAccountTokenNoAutoGeneration",
  "ListFromCacheSnapshot",
  "LoggingAlphaOptions",
  "LoggingBetaOptions",
  "MultiCIDRRangeAllocator",
  "NativeHistograms",
  "PersistentVolumeClaimUnusedSinceTime",
  "ResilientWatchCacheInitialization",
  "SeparateCacheWatchRPC",
  "ServerSideApply",
  "StorageNamespaceIndex",
  "StreamingCollectionEncodingToJSON",
  "StreamingCollectionEncodingToProtobuf",
  "StreamingProxyRedirects",
  "ValidateProxyRedirects",
]);
