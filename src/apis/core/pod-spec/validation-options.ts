import type { Naming } from "../../../naming/naming.js";
import type { ApiContext } from "../../definition/api-context.js";
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
}

/** A pod's template or the pod itself. */
export type PodLike = Pick<PodTemplateSpec, "metadata" | "spec">;

/** The rules for a new pod or template, given the one it replaces. */
export function podValidationOptions(
  context: ApiContext,
  _newTemplate: PodLike | undefined,
  _oldTemplate?: PodLike,
): PodValidationOptions {
  return {
    naming: context.naming,
    allowPrivileged: context.options.allowPrivileged,
    allowDownwardApiHugePages: context.isEnabled("DownwardAPIHugePages"),
    allowInvalidPodDeletionCost: !context.isEnabled("PodDeletionCost"),
    allowIndivisibleHugePages: false,
    allowWindowsHostProcess: context.isEnabled("WindowsHostProcessContainers"),
    allowExpandedDnsConfig: context.isEnabled("ExpandedDNSConfig"),
    allowOs: context.isEnabled("IdentifyPodOS"),
  };
}
