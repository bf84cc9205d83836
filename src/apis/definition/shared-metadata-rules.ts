/**
 * Built-in kinds whose finalizers may have any name, as those of custom resources: Kubernetes checks their metadata with the rules that it
 * shares with other servers only.
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
