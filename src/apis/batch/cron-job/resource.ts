import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { dropDisabledPodTemplateFields } from "../../core/pod-spec/disabled-fields.js";
import { hostnameWarnings } from "../../core/pod-spec/name-warnings.js";
import { podValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { CronJob } from "../../gen/batch-v1.js";
import type { CronJob as CronJobV1beta1 } from "../../gen/batch-v1beta1.js";
import { jobSpecWarnings } from "../job/warnings.js";
import { cronJobColumns } from "./columns.js";
import { setCronJobDefaults } from "./defaults.js";
import { validateCronJob, validateCronJobUpdate } from "./validation.js";

export function cronJobs(context: ApiContext): ResourceDefinition<CronJob> {
  const jobPath = FieldPath.of("spec", "jobTemplate", "spec");
  const templateOf = (object: CronJob) => object.spec.jobTemplate.spec.template;
  const main = specStrategy<CronJob>({
    // In v1beta1, jobs outlive their cron job by default.
    defaultPropagation: (version) => (version === "v1beta1" ? "orphan" : "background"),
    emptyStatus: () => ({}),
    prepareForCreate: (_write, object) => dropDisabledPodTemplateFields(context, templateOf(object)),
    prepareForUpdate: (_write, object, old) =>
      dropDisabledPodTemplateFields(context, templateOf(object), templateOf(old)),
    validate: (_write, object) => validateCronJob(object, podValidationOptions(context, templateOf(object))),
    validateUpdate: (_write, object, old) =>
      validateCronJobUpdate(object, old, podValidationOptions(context, templateOf(object), templateOf(old))),
    warningsOnCreate: (_write, object) => [
      ...hostnameWarnings(context, object),
      ...jobSpecWarnings(context, jobPath, object.spec.jobTemplate.spec),
      // Since 1.29, they are refused.
      ...(isAtLeast(context.level, "1.29") ? [] : zoneWarnings(object)),
    ],
    warningsOnUpdate: (_write, object, old) => [
      ...(object.metadata.generation === old.metadata.generation
        ? []
        : jobSpecWarnings(context, jobPath, object.spec.jobTemplate.spec)),
      ...zoneWarnings(object),
    ],
  });

  function zoneWarnings({ spec }: CronJob): string[] {
    if (!spec.schedule.includes("TZ")) return [];
    const page = `see https://${context.naming.domain}/docs/concepts/workloads/controllers/cron-jobs/ for more details`;
    // The path is Kubernetes'.
    return isAtLeast(context.level, "1.29")
      ? [`cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${page}`]
      : [`CRON_TZ or TZ used in spec.spec.schedule is not officially supported, ${page}`];
  }

  return defineResource<CronJob>({
    group: "batch",
    resource: "cronjobs",
    kind: "CronJob",
    namespaced: true,
    shortNames: ["cj"],
    categories: ["all"],
    versions: [
      hub<CronJob>(context, {
        version: "v1",
        type: "batch/v1.CronJob",
        setDefaults: (object) => setCronJobDefaults(object, context),
        selectableFields: [],
      }),
      spoke<CronJob, CronJobV1beta1>(context, {
        version: "v1beta1",
        until: "1.25",
        type: "batch/v1beta1.CronJob",
        setDefaults: (object) => setCronJobDefaults(object, context),
        // Both versions have the same fields.
        toHub: (object) => object,
        fromHub: (object) => object,
        lifecycle: {
          introduced: "1.8",
          deprecated: "1.21",
          removed: "1.25",
          replacement: { group: "batch", version: "v1", kind: "CronJob" },
        },
      }),
    ],
    storage: { version: "v1", prefix: "/cronjobs" },
    strategy: main,
    subresources: [statusPart(main)],
    // v1beta1 accepts a selectable field of jobs that no cron job has.
    selectableFields: {
      names: ["status.successful"],
      values: () => ({ "status.successful": "" }),
      refusal: (field) => `field label ${JSON.stringify(field)} not supported for "CronJob"`,
    },
    columns: cronJobColumns,
  });
}
