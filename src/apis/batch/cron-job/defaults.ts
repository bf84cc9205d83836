import type { ApiContext } from "../../definition/api-context.js";
import type { CronJob } from "../../gen/batch-v1.js";
import { setJobTemplateDefaults } from "../job/defaults.js";

/** The same in both versions. */
export function setCronJobDefaults({ spec }: CronJob, context: ApiContext): void {
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  setJobTemplateDefaults(spec.jobTemplate.spec, context);
}
