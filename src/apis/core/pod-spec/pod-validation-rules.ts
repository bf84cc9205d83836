import type { Naming } from "../../../naming/naming.js";
import type { PodTemplateSpec } from "../../gen/core-v1.js";

/**
 * What a valid pod may contain. Beyond the first two, each member widens the rules for values that are behind a feature gate,
 * or that the object had before.
 */
export interface PodValidationOptions {
  readonly naming: Naming;
  /** The server's option of that name. */
  readonly allowPrivileged: boolean;
  readonly allowDownwardApiHugePages: boolean;
  readonly allowInvalidPodDeletionCost: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowWindowsHostProcess: boolean;
  readonly allowExpandedDnsConfig: boolean;
  readonly allowOs: boolean;
  readonly allowSysctlSlash: boolean;
  /** Of the claims of ephemeral volumes. */
  readonly allowOncePod: boolean;
}

/** A pod's template or the pod itself. */
export type PodLike = Pick<PodTemplateSpec, "metadata" | "spec">;
