import type { TypeDescriptions } from "./type-descriptions.js";

export const batchTypes: TypeDescriptions = {
  Job: {
    about: "Runs pods until a number of them has succeeded.",
  },
  JobSpec: {
    fields: {
      activeDeadlineSeconds: "Seconds from its start after which the job is stopped.",
      backoffLimit: "Retries before the job counts as failed. Default: 6.",
      completionMode: "NonIndexed or Indexed.",
      completions: "How many pods must succeed.",
      manualSelector: "Whether selector is given by the user.",
      parallelism: "How many pods run at a time.",
      selector: "The pods that belong to it. Normally set by the system.",
      suspend: "Whether no pods are to run.",
      template: "What the pods look like.",
      ttlSecondsAfterFinished: "Seconds after its end until the job is deleted. Default: never.",
    },
  },
  UncountedTerminatedPods: {
    about: "Pods that have ended and are not in the job's counts yet.",
  },
  JobTemplateSpec: {
    about: "What each new job looks like.",
  },
  CronJob: {
    about: "Starts jobs at the times of a schedule.",
  },
  CronJobSpec: {
    fields: {
      concurrencyPolicy: "What happens when the one before still runs: Allow, Forbid or Replace.",
      failedJobsHistoryLimit: "How many failed jobs are kept. Default: 1.",
      jobTemplate: "What the jobs look like.",
      schedule: "Times in the notation of cron.",
      startingDeadlineSeconds: "Seconds by which a start may be late.",
      successfulJobsHistoryLimit: "How many successful jobs are kept. Default: 3.",
      suspend: "Whether no jobs are to start.",
    },
  },
};
