/**
 * Built-in kinds whose finalizers may have any name, like those of custom resources: Kubernetes checks their metadata only with the rules
 * shared by all its API servers.
 */
export const withSharedMetadataRules: ReadonlySet<string> = new Set([
  "apiservices",
  "customresourcedefinitions",
  "events",
  "leasecandidates",
  "leases",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "mutatingwebhookconfigurations",
  "poddisruptionbudgets",
  "runtimeclasses",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "validatingwebhookconfigurations",
]);
