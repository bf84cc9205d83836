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
      podFailurePolicy:
        "What failed pods mean to the job; the first rule that fits decides. Needs restartPolicy Never.",
      successPolicy: "When an indexed job has succeeded without all of its indexes.",
      backoffLimitPerIndex:
        "How often the pod of an index may be retried before the index has failed. Needs restartPolicy Never.",
      maxFailedIndexes: "With more failed indexes than this the job fails. Unset: all indexes are tried.",
      podReplacementPolicy:
        "When a pod is replaced: TerminatingOrFailed as soon as it is being deleted, Failed when it has ended.",
      managedBy:
        "Name of the controller that takes care of the job, with a domain. Default: the built-in one.",
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
      terminating: "How many pods are being deleted and have not ended.",
      failedIndexes: "Indexes that have failed, such as 1,3-5.",
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
      timeZone:
        "Name of the time zone of the schedule, such as Europe/Paris. Default: that of the controller.",
    },
  },
  CronJobStatus: {
    fields: {
      active: "Jobs that still run.",
      lastScheduleTime: "The latest time of the schedule at which a job was started.",
      lastSuccessfulTime: "When a job last completed with success.",
    },
  },
  PodFailurePolicy: {
    about: "What failed pods mean to a job.",
    fields: {
      rules: "Rules in order, at most 20; the first that fits decides.",
    },
  },
  PodFailurePolicyRule: {
    about: "What one way of failing means.",
    fields: {
      action: "FailJob, FailIndex, Ignore (does not count), or Count (as without a rule).",
      onExitCodes: "Fits pods by exit codes of containers. Excludes onPodConditions.",
      onPodConditions: "Fits pods by their conditions. Excludes onExitCodes.",
    },
  },
  PodFailurePolicyOnExitCodesRequirement: {
    about: "A set of exit codes.",
    fields: {
      containerName: "Name of the container that counts. Unset: any.",
      operator: "In for the codes in values, NotIn for all others.",
      values: "Exit codes in ascending order, at most 255. In must not have 0.",
    },
  },
  PodFailurePolicyOnPodConditionsPattern: {
    about: "A condition of a pod.",
    fields: {
      type: "Type of the condition.",
      status: "Status that it has to have. Default: True.",
    },
  },
  SuccessPolicy: {
    about: "When a job has succeeded early.",
    fields: {
      rules: "Rules in order, at most 20; one has to be met.",
    },
  },
  SuccessPolicyRule: {
    about: "Which indexes are enough for success.",
    fields: {
      succeededIndexes: "Indexes that have to succeed, such as 1,3-5. Default: any.",
      succeededCount: "How many of the indexes have to succeed. Default: all of succeededIndexes.",
    },
  },
};
