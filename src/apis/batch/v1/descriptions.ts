import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const batchV1Descriptions: TypeDescriptions = {
  Job: {
    about: "Runs pods until a number of them has succeeded.",
    fields: {
      spec: "Pods to run, and when to stop. Parallelism, suspend and the limits can be changed, the rest cannot.",
      status: "How many pods run, have succeeded and have failed.",
    },
  },
  JobSpec: {
    about: "Which pods a job runs, how many of them, and when it gives up.",
    fields: {
      activeDeadlineSeconds:
        "Seconds from its start after which an unfinished job is stopped and counts as failed. Default: no limit.",
      backoffLimit: "Retries after failures before the job counts as failed. Default: 6.",
      completionMode:
        "NonIndexed counts any successes; Indexed needs one for each index below completions. Default: NonIndexed. Cannot be changed.",
      completions:
        "How many pods must succeed. Unset with parallelism set: any one. Default: 1. Cannot be changed.",
      manualSelector:
        "Whether you give selector and matching labels yourself instead of having them generated.",
      parallelism: "How many pods may run at a time; 0 stops the job for now. Default: 1.",
      selector: "Which pods belong to the job. Generated unless manualSelector is true; cannot be changed.",
      suspend: "While true, no pods run; those that do are deleted. Default: false.",
      template:
        "What each pod is made from, with restart policy OnFailure or Never. Fixed, but for its placement until a suspended job first starts.",
      ttlSecondsAfterFinished:
        "Seconds after its end, well or not, until the job is deleted; 0 is at once. Default: never.",
    },
  },
  JobStatus: {
    fields: {
      active: "Pods that are pending or running.",
      completedIndexes: "Indexes that have succeeded, as in 1,3-5,7; for the completion mode Indexed.",
      completionTime: "When the job succeeded; never set on one that failed.",
      conditions: "Whether the job is complete, has failed or is suspended.",
      failed: "Pods that have failed.",
      ready: "Pods that are ready.",
      startTime: "When the job was first taken up, or was last resumed after a suspension.",
      succeeded: "Pods that have succeeded.",
      uncountedTerminatedPods: "Pods that have ended and still have to be added to succeeded or failed.",
    },
  },
  UncountedTerminatedPods: {
    about: "Pods that have ended and are not in the job's counts yet.",
    fields: {
      failed: "Uids of failed pods that are not counted yet.",
      succeeded: "Uids of succeeded pods that are not counted yet.",
    },
  },
  JobCondition: {
    fields: {
      ...conditionFields,
      lastProbeTime: "When the condition was last looked at.",
      type: "Complete, Failed or Suspended.",
    },
  },
  JobTemplateSpec: {
    about: "What each new job looks like.",
    fields: {
      metadata: "Labels and annotations that each new job gets.",
      spec: "What is wanted of each new job.",
    },
  },
  CronJob: {
    about: "Starts jobs at the times of a schedule. Its name has at most 52 characters.",
    fields: {
      spec: "When to start jobs, and which ones. Changes are for later jobs.",
      status: "Which jobs run, and when the last ones started and succeeded.",
    },
  },
  CronJobSpec: {
    about: "When a cron job starts jobs, which ones, and how many old ones it keeps.",
    fields: {
      concurrencyPolicy:
        "If a job is due while one runs: Allow both, Forbid the new one, or Replace the old one. Default: Allow.",
      failedJobsHistoryLimit: "How many failed jobs to keep; 0 keeps none. Default: 1.",
      jobTemplate: "What each new job is made from.",
      schedule:
        "Minute, hour, day of month, month and day of week in cron notation, or @hourly and the like.",
      startingDeadlineSeconds:
        "Seconds by which a missed job may still start late; after that it is skipped. Default: no limit.",
      successfulJobsHistoryLimit: "How many successful jobs to keep; 0 keeps none. Default: 3.",
      suspend: "While true, no new jobs are started; running ones go on. Default: false.",
    },
  },
  CronJobStatus: {
    fields: {
      active: "Jobs that still run.",
      lastScheduleTime: "The latest time of the schedule at which a job was started.",
      lastSuccessfulTime: "When a job last completed with success.",
    },
  },
};
