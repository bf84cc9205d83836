import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { podTemplateWarnings } from "../../core/pod-spec/warnings.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { JobSpec } from "../../gen/batch-v1.js";

const trackedCompletionsMax = 100_000;
const trackedParallelismMax = 10_000;

/** Warnings of a job, or of the jobs that a cron job creates. `path`: the path of their specification. */
export function jobSpecWarnings(context: ApiContext, path: FieldPath, spec: JobSpec): string[] {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const isTooMuch =
    isAtLeast(context.level, "1.28") &&
    completionMode === "Indexed" &&
    completions > trackedCompletionsMax &&
    parallelism > trackedParallelismMax;
  const title = context.naming.vendorTitle;
  return [
    ...(isTooMuch
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ${title} might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podTemplateWarnings(context, path.child("template"), template),
  ];
}
