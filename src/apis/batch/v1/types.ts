import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const batchV1Types: TypePackage = { name: "batch/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    Job: {
      kind: "Job",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "batch/v1.JobSpec", omitempty: true, optional: true },
        status: { number: 3, type: "batch/v1.JobStatus", omitempty: true, optional: true },
      },
    },
    JobList: listKind("batch/v1.Job"),
    JobSpec: {
      fields: {
        parallelism: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        completions: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0, immutable: true },
        },
        activeDeadlineSeconds: {
          number: 3,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        backoffLimit: {
          number: 7,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        selector: {
          number: 4,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        manualSelector: { number: 5, type: "bool", pointer: true, omitempty: true, optional: true },
        template: { number: 6, type: "core/v1.PodTemplateSpec" },
        ttlSecondsAfterFinished: {
          number: 8,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        completionMode: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["NonIndexed", "Indexed"],
          elementName: "v1.CompletionMode",
          rules: { supported: "enum", immutable: true },
        },
        suspend: { number: 10, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    JobStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "batch/v1.JobCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "atomic",
        },
        startTime: { number: 2, type: "Time", pointer: true, omitempty: true, optional: true },
        completionTime: { number: 3, type: "Time", pointer: true, omitempty: true, optional: true },
        active: { number: 4, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        succeeded: { number: 5, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        failed: { number: 6, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        completedIndexes: { number: 7, type: "string", omitempty: true, optional: true },
        uncountedTerminatedPods: {
          number: 8,
          type: "batch/v1.UncountedTerminatedPods",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        ready: {
          number: 9,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
      },
    },
    UncountedTerminatedPods: {
      fields: {
        succeeded: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "set",
          elementName: "types.UID",
        },
        failed: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "set",
          elementName: "types.UID",
        },
      },
    },
    JobCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.JobConditionType" },
        status: { number: 2, type: "string", elementName: "core/v1.ConditionStatus" },
        lastProbeTime: { number: 3, type: "Time", omitempty: true, optional: true },
        lastTransitionTime: { number: 4, type: "Time", omitempty: true, optional: true },
        reason: { number: 5, type: "string", omitempty: true, optional: true },
        message: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    JobTemplateSpec: {
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "batch/v1.JobSpec", omitempty: true, optional: true },
      },
    },
    CronJob: {
      kind: "CronJob",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "batch/v1.CronJobSpec", omitempty: true, optional: true },
        status: { number: 3, type: "batch/v1.CronJobStatus", omitempty: true, optional: true },
      },
    },
    CronJobList: listKind("batch/v1.CronJob"),
    CronJobSpec: {
      fields: {
        schedule: { number: 1, type: "string", rules: { required: true } },
        startingDeadlineSeconds: {
          number: 2,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        concurrencyPolicy: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Allow", "Forbid", "Replace"],
          elementName: "v1.ConcurrencyPolicy",
          rules: { required: true },
        },
        suspend: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
        jobTemplate: { number: 5, type: "batch/v1.JobTemplateSpec" },
        successfulJobsHistoryLimit: {
          number: 6,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        failedJobsHistoryLimit: {
          number: 7,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
      },
    },
    CronJobStatus: {
      fields: {
        active: {
          number: 1,
          type: "core/v1.ObjectReference",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        lastScheduleTime: { number: 4, type: "Time", pointer: true, omitempty: true, optional: true },
        lastSuccessfulTime: { number: 5, type: "Time", pointer: true, omitempty: true, optional: true },
      },
    },
  };
}
