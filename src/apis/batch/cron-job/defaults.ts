import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { CronJob } from "../../gen/batch-v1.js";
import { setFailurePolicyDefaults } from "../job/defaults.js";

/** The same in both versions. */
export function setCronJobDefaults({ spec }: CronJob, context: ApiContext): void {
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  // The rest of the job's defaults are set when it is created.
  const { spec: jobSpec } = spec.jobTemplate;
  if (isAtLeast(context.level, "1.34")) setFailurePolicyDefaults(jobSpec);
  setPodTemplateSpecDefaults(jobSpec.template, context);
}
