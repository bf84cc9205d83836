import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const batchV1beta1Types: TypePackage = { name: "batch/v1beta1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    JobTemplate: {
      kind: "JobTemplate",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        template: { number: 2, type: "batch/v1beta1.JobTemplateSpec", omitempty: true, optional: true },
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
        spec: { number: 2, type: "batch/v1beta1.CronJobSpec", omitempty: true, optional: true },
        status: { number: 3, type: "batch/v1beta1.CronJobStatus", omitempty: true, optional: true },
      },
    },
    CronJobList: {
      kind: "CronJobList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "batch/v1beta1.CronJob", list: true },
      },
    },
    CronJobSpec: {
      fields: {
        schedule: { number: 1, type: "string" },
        startingDeadlineSeconds: { number: 2, type: "int64", pointer: true, omitempty: true, optional: true },
        concurrencyPolicy: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1beta1.ConcurrencyPolicy",
        },
        suspend: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
        jobTemplate: { number: 5, type: "batch/v1beta1.JobTemplateSpec" },
        successfulJobsHistoryLimit: {
          number: 6,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        failedJobsHistoryLimit: { number: 7, type: "int32", pointer: true, omitempty: true, optional: true },
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
