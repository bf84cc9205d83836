import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { IpRules } from "../../../apimachinery/validation/ip-fields.js";
import type { Naming } from "../../../naming/naming.js";
import type { SchemaSource } from "../../definition/api-context.js";
import type { PodTemplateSpec } from "../../gen/core-v1.js";
import type { AttributesClassRules } from "../persistent-volume/attributes-class.js";

/**
 * Rules for valid pods. Each member named `allow…` allows values that are behind a feature gate or that the old object already has.
 */
export interface PodValidationOptions extends LaterPodOptions {
  readonly naming: Naming;
  readonly level: ApiLevel;
  /** Of the same level. */
  readonly schemas: SchemaSource;
  readonly ips: IpRules;
  /** Whether the spec is a pod's, which must be complete; a template may omit what its pods get. */
  readonly isPod: boolean;
  /** The server option of that name. */
  readonly allowPrivileged: boolean;
  readonly allowDownwardApiHugePages: boolean;
  readonly allowInvalidPodDeletionCost: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowWindowsHostProcess: boolean;
  readonly allowExpandedDnsConfig: boolean;
  readonly allowSysctlSlash: boolean;
  /** For the claims of ephemeral volumes. */
  readonly allowOncePod: boolean;
}

/** Options of rules that came after 1.24. */
export interface LaterPodOptions {
  readonly allowRelaxedEnvNames: boolean;
  readonly allowRelaxedSearches: boolean;
  readonly allowEnvFiles: boolean;
  readonly allowZeroSleep: boolean;
  readonly allowSidecarResizePolicy: boolean;
  /** For init containers other than sidecars. */
  readonly allowInitRestartOnResize: boolean;
  readonly allowRestartRules: boolean;
  readonly allowRestartAllContainers: boolean;
  readonly checksImageDigests: boolean;
  /** Whether binding a pod to a node clears its nominated node, so that it may not have another. */
  readonly clearsNominatedNode: boolean;
  readonly allowPodResources: boolean;
  /** For the claims of ephemeral volumes. */
  readonly attributesClass?: AttributesClassRules;
  readonly allowAnySeLinuxChangePolicy: boolean;
  readonly allowComparingTolerations: boolean;
  readonly allowUserNamespacesOnHostNetwork: boolean;
  readonly allowUserNamespacesWithDevices: boolean;
  /** Sysctls in a namespace that the pod shares with its host. */
  readonly allowHostSysctls: boolean;
  /** For templates of more than one pod. */
  readonly allowWritablePersistentDisks: boolean;
  readonly allowTokenPathsOutside: boolean;
  /** For references to fields. */
  readonly allowHostIps: boolean;
  /** Whether `matchLabelKeys` of spread constraints are already merged into their selectors. */
  readonly spreadKeysAreMerged: boolean;
  readonly allowWrongSpreadKeys: boolean;
  readonly allowWrongSpreadSelectors: boolean;
  /** Required node affinity with values that are not valid label values. */
  readonly allowWrongNodeSelectors: boolean;
  /** Whether values in label selectors of pod affinity and of workloads are checked. */
  readonly checksSelectorValues: boolean;
}

/** A pod's template, or the pod itself. */
export type PodLike = Pick<PodTemplateSpec, "metadata" | "spec">;
