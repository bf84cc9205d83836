import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Job } from "../../gen/batch-v1.js";

const int32Max = 2 ** 31 - 1;

/** A job without labels gets those of its template. In place. */
export function setJobLabels({ metadata, spec }: Pick<Job, "metadata" | "spec">): void {
  const labels = spec.template.metadata.labels;
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) {
    metadata.labels = { ...labels };
  }
}

/** The job template of a cron job only gets the defaults of its pod template; the rest is set when jobs are created from it. */
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
  if (isAtLeast(context.level, "1.34")) spec.manualSelector ??= false;
  for (const { onPodConditions = [] } of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions) pattern.status ||= "True";
  }
  if (context.isEnabled("JobPodReplacementPolicy")) {
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  }
  setPodTemplateSpecDefaults(spec.template, context);
}
