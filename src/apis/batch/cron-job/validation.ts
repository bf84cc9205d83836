import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { printLabelSelector } from "../../checks/printed-values.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CronJob, CronJobSpec, JobTemplateSpec } from "../../gen/batch-v1.js";
import { validateJobSpecParts } from "../job/spec-validation.js";
import { batchV1Types } from "../v1/types.js";
import { scheduleProblem } from "./schedule.js";
import { validateTimeZone } from "./time-zone.js";

/** Eleven less than a label value may have, because job names append a time to it. */
const nameLengthMax = 52;

const rules = fieldRules<CronJobSpec>(batchV1Types, "CronJobSpec");

export function validateCronJob(object: CronJob, options: PodValidationOptions): FieldError[] {
  const errors = validateSpec(object.spec, options);
  const { name = "" } = object.metadata;
  if (name.length > nameLengthMax) {
    const why = `must be no more than ${nameLengthMax} characters`;
    errors.push(invalid(FieldPath.of("metadata", "name"), name, why));
  }
  return errors;
}

/** Longer names were once valid, so updates may keep them. */
export function validateCronJobUpdate(
  { spec }: CronJob,
  old: CronJob,
  options: PodValidationOptions,
): FieldError[] {
  return validateSpec(spec, options, old.spec);
}

function validateSpec(spec: CronJobSpec, options: PodValidationOptions, old?: CronJobSpec): FieldError[] {
  const path = FieldPath.of("spec");
  return [
    ...rules.check(spec, path, "schedule"),
    ...validateSchedule(spec.schedule, path.child("schedule")),
    ...validateZoneInSchedule(spec, old, path.child("schedule"), options.level),
    ...rules.check(spec, path, "startingDeadlineSeconds"),
    ...(spec.timeZone === old?.timeZone
      ? []
      : validateTimeZone(spec.timeZone, path.child("timeZone"), options.level)),
    ...rules.check(spec, path, "concurrencyPolicy"),
    ...validateJobTemplate(spec.jobTemplate, path.child("jobTemplate"), options),
    ...rules.check(spec, path, "successfulJobsHistoryLimit", "failedJobsHistoryLimit"),
  ];
}

function validateSchedule(schedule: string, path: FieldPath): FieldError[] {
  const problem = schedule === "" ? undefined : scheduleProblem(schedule);
  return problem === undefined ? [] : [invalid(path, schedule, problem)];
}

/** Schedules that already begin with a time zone may keep it: there was no field for it once. */
function validateZoneInSchedule(
  { schedule, timeZone }: CronJobSpec,
  old: CronJobSpec | undefined,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  if (!schedule.includes("TZ")) return [];
  if (isAtLeast(level, "1.29") && old?.schedule.includes("TZ") !== true) {
    return [invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  }
  if (timeZone === undefined) return [];
  return [invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")];
}

function validateJobTemplate(
  { spec }: JobTemplateSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const specPath = path.child("spec");
  const errors = validateJobSpecParts(spec, specPath, options);
  if (spec.selector !== undefined) {
    const why = "`selector` will be auto-generated";
    errors.push(invalid(specPath.child("selector"), printLabelSelector(spec.selector), why));
  }
  if (spec.manualSelector === true) {
    errors.push(notSupported(specPath.child("manualSelector"), true, ["nil", "false"]));
  }
  return errors;
}
