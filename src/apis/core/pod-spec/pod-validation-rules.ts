import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { Naming } from "../../../naming/naming.js";
import type { PodTemplateSpec } from "../../gen/core-v1.js";

/**
 * Rules for valid pods. Beyond the first two, each member allows values that are behind a feature gate or that the old object already
 * has.
 */
export interface PodValidationOptions {
  readonly naming: Naming;
  readonly level: ApiLevel;
  /** The server option of that name. */
  readonly allowPrivileged: boolean;
  readonly allowDownwardApiHugePages: boolean;
  readonly allowInvalidPodDeletionCost: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowWindowsHostProcess: boolean;
  readonly allowExpandedDnsConfig: boolean;
  readonly allowOs: boolean;
  readonly allowSysctlSlash: boolean;
  /** For the claims of ephemeral volumes. */
  readonly allowOncePod: boolean;
}

/** A pod's template, or the pod itself. */
export type PodLike = Pick<PodTemplateSpec, "metadata" | "spec">;
