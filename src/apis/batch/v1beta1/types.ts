import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { batchV1Types } from "../v1/types.js";

/** Cron jobs only; their templates are those of v1 jobs. */
export const batchV1beta1Types: TypePackage = siblingVersion("batch/v1beta1", batchV1Types, () => ({
  without: [
    "Job",
    "JobList",
    "JobSpec",
    "JobStatus",
    "UncountedTerminatedPods",
    "JobCondition",
    "PodFailurePolicy",
    "PodFailurePolicyRule",
    "PodFailurePolicyOnExitCodesRequirement",
    "PodFailurePolicyOnPodConditionsPattern",
    "SuccessPolicy",
    "SuccessPolicyRule",
  ],
  changed: { CronJobSpec: { fields: { concurrencyPolicy: { enum: undefined } } } },
  types: {
    JobTemplate: {
      kind: "JobTemplate",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        template: { number: 2, type: "batch/v1beta1.JobTemplateSpec", omitempty: true, optional: true },
      },
    },
  },
}));
