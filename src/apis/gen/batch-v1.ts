// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { ObjectReference as CoreV1ObjectReference, PodTemplateSpec as CoreV1PodTemplateSpec } from "./core-v1.js";
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface Job {
  metadata: ObjectMeta;
  spec: JobSpec;
  status: JobStatus;
}

export interface JobList {
  metadata: ListMeta;
  items?: Job[] | undefined;
}

export interface JobSpec {
  parallelism?: number | undefined;
  completions?: number | undefined;
  activeDeadlineSeconds?: number | bigint | undefined;
  backoffLimit?: number | undefined;
  selector?: LabelSelector | undefined;
  manualSelector?: boolean | undefined;
  template: CoreV1PodTemplateSpec;
  ttlSecondsAfterFinished?: number | undefined;
  completionMode?: OpenEnum<"NonIndexed" | "Indexed"> | undefined;
  suspend?: boolean | undefined;
}

export interface JobStatus {
  conditions?: JobCondition[] | undefined;
  startTime?: string | undefined;
  completionTime?: string | undefined;
  active?: number | undefined;
  succeeded?: number | undefined;
  failed?: number | undefined;
  completedIndexes?: string | undefined;
  uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
  ready?: number | undefined;
}

export interface UncountedTerminatedPods {
  succeeded?: string[] | undefined;
  failed?: string[] | undefined;
}

export interface JobCondition {
  type: string;
  status: string;
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface JobTemplateSpec {
  metadata: ObjectMeta;
  spec: JobSpec;
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
  startingDeadlineSeconds?: number | bigint | undefined;
  concurrencyPolicy?: OpenEnum<"Allow" | "Forbid" | "Replace"> | undefined;
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
