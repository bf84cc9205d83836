import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Job, JobSpec } from "../../gen/batch-v1.js";

const int32Max = 2 ** 31 - 1;

/** A job without labels gets those of its template. In place. */
export function setJobLabels({ metadata, spec }: Pick<Job, "metadata" | "spec">): void {
  const labels = spec.template.metadata.labels;
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

/** Whether a new job has the labels of its template: in Kubernetes, both are then one map, which gets the generated labels. */
export function hasLabelsOfTemplate({ metadata, spec }: Pick<Job, "metadata" | "spec">): boolean {
  return metadata.labels !== undefined && metadata.labels === spec.template.metadata.labels;
}

export function setFailurePolicyDefaults({ podFailurePolicy }: JobSpec): void {
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions) pattern.status ||= "True";
  }
}

export function setJobDefaults({ metadata, spec }: Job, context: ApiContext): void {
  if (spec.completions === undefined && spec.parallelism === undefined) {
    spec.completions = 1;
    spec.parallelism = 1;
  }
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : int32Max;
  setJobLabels({ metadata, spec });
  if (context.isEnabled("IndexedJob")) spec.completionMode ??= "NonIndexed";
  if (context.isEnabled("SuspendJob")) spec.suspend ??= false;
  if (isAtLeast(context.level, "1.29")) spec.manualSelector ??= false;
  if (context.isEnabled("JobPodReplacementPolicy")) {
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  }
  setFailurePolicyDefaults(spec);
  setPodTemplateSpecDefaults(spec.template, context);
}
