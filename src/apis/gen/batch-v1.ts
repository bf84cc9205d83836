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
  podFailurePolicy?: PodFailurePolicy | undefined;
  successPolicy?: SuccessPolicy | undefined;
  backoffLimit?: number | undefined;
  backoffLimitPerIndex?: number | undefined;
  maxFailedIndexes?: number | undefined;
  selector?: LabelSelector | undefined;
  manualSelector?: boolean | undefined;
  template: CoreV1PodTemplateSpec;
  ttlSecondsAfterFinished?: number | undefined;
  completionMode?: OpenEnum<"NonIndexed" | "Indexed"> | undefined;
  suspend?: boolean | undefined;
  podReplacementPolicy?: OpenEnum<"TerminatingOrFailed" | "Failed"> | undefined;
  managedBy?: string | undefined;
}

export interface JobStatus {
  conditions?: JobCondition[] | undefined;
  startTime?: string | undefined;
  completionTime?: string | undefined;
  active?: number | undefined;
  succeeded?: number | undefined;
  failed?: number | undefined;
  terminating?: number | undefined;
  completedIndexes?: string | undefined;
  failedIndexes?: string | undefined;
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
  timeZone?: string | undefined;
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

export interface PodFailurePolicy {
  rules?: PodFailurePolicyRule[] | undefined;
}

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string | undefined;
  operator: OpenEnum<"In" | "NotIn">;
  values?: number[] | undefined;
}

export interface PodFailurePolicyOnPodConditionsPattern {
  type: string;
  status: string;
}

export interface PodFailurePolicyRule {
  action: OpenEnum<"FailJob" | "FailIndex" | "Ignore" | "Count">;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | undefined;
}

export interface SuccessPolicy {
  rules?: SuccessPolicyRule[] | undefined;
}

export interface SuccessPolicyRule {
  succeededIndexes?: string | undefined;
  succeededCount?: number | undefined;
}
