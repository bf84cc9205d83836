import type { ApiContext } from "../../definition/api-context.js";
import { statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Job } from "../../gen/batch-v1.js";
import { jobColumns } from "./columns.js";
import { setJobDefaults } from "./defaults.js";
import { validateJobStatus, validateJobTransition } from "./status-validation.js";
import { jobStrategy } from "./strategy.js";

export function jobs(context: ApiContext): ResourceDefinition<Job> {
  const main = jobStrategy(context);
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
          ...(context.isEnabled("JobManagedBy") ? validateJobTransition(object, old, context.level) : []),
        ],
      }),
    ],
    selectableFields: {
      names: ["status.successful"],
      values: ({ status }) => ({ "status.successful": String(status.succeeded ?? 0) }),
    },
    columns: jobColumns,
  });
}
