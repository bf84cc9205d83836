// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JobSpec as BatchV1JobSpec } from "./batch-v1.js";
import type { ObjectReference as CoreV1ObjectReference } from "./core-v1.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface JobTemplateSpec {
  metadata: ObjectMeta;
  spec: BatchV1JobSpec;
}

export interface CronJob {
  metadata: ObjectMeta;
  spec: CronJobSpec;
  status: CronJobStatus;
}

export interface CronJobList {
  metadata: ListMeta;
  items?: CronJob[] | undefined;
}

export interface CronJobSpec {
  schedule: string;
  timeZone?: string | undefined;
  startingDeadlineSeconds?: number | bigint | undefined;
  concurrencyPolicy?: string | undefined;
  suspend?: boolean | undefined;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number | undefined;
  failedJobsHistoryLimit?: number | undefined;
}

export interface CronJobStatus {
  active?: CoreV1ObjectReference[] | undefined;
  lastScheduleTime?: string | undefined;
  lastSuccessfulTime?: string | undefined;
}

export interface JobTemplate {
  metadata: ObjectMeta;
  template: JobTemplateSpec;
}
