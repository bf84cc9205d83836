import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { CronJob } from "../../gen/batch-v1.js";

/** The same in both versions. */
export function setCronJobDefaults({ spec }: CronJob, context: ApiContext): void {
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  setPodTemplateSpecDefaults(spec.jobTemplate.spec.template, context);
}
