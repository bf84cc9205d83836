import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Job } from "../../gen/batch-v1.js";

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
  spec.backoffLimit ??= 6;
  setJobLabels({ metadata, spec });
  if (context.isEnabled("IndexedJob")) spec.completionMode ??= "NonIndexed";
  if (context.isEnabled("SuspendJob")) spec.suspend ??= false;
  setPodTemplateSpecDefaults(spec.template, context);
}
