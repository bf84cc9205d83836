import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { cronJobs } from "./cron-job/resource.js";
import { jobs } from "./job/resource.js";

/** The group `batch`: work that runs to completion. */
export function batchResources(context: ApiContext): ResourceDefinition[] {
  return [cronJobs(context), jobs(context)];
}
