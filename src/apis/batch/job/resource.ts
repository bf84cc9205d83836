import type { FieldError } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Job } from "../../gen/batch-v1.js";
import { jobColumns } from "./columns.js";
import { setJobDefaults } from "./defaults.js";
import {
  allowsAnySuccess,
  validateJobStatus,
  validateJobTransition,
  validateSuccessTransition,
} from "./status-validation.js";
import { jobStrategy } from "./strategy.js";

export function jobs(context: ApiContext): ResourceDefinition<Job> {
  const main = jobStrategy(context);
  const { level } = context;
  const transitionErrors = (object: Job, old: Job): FieldError[] => {
    if (!isAtLeast(level, "1.30")) return [];
    const mayAnySucceed = allowsAnySuccess(old, context);
    return context.isEnabled("JobManagedBy")
      ? validateJobTransition(object, old, { level, allowsAnySuccess: mayAnySucceed })
      : validateSuccessTransition(object, old, mayAnySucceed);
  };
  return defineResource<Job>({
    group: "batch",
    resource: "jobs",
    kind: "Job",
    namespaced: true,
    categories: ["all"],
    versions: [
      hub<Job>(context, {
        version: "v1",
        type: "batch/v1.Job",
        setDefaults: (object) => setJobDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/jobs" },
    strategy: main,
    subresources: [
      statusPart(main, {
        validateUpdate: (_write, object, old) => [
          ...validateJobStatus(object.status),
          ...transitionErrors(object, old),
        ],
      }),
    ],
    selectableFields: {
      names: ["status.successful"],
      values: ({ status }) => ({ "status.successful": String(status.succeeded ?? 0) }),
      refusal: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
    },
    columns: jobColumns,
  });
}
