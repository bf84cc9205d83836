import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { controllerRevisions } from "./controller-revision/resource.js";
import { daemonSets } from "./daemon-set/resource.js";
import { deployments } from "./deployment/resource.js";
import { replicaSets } from "./replica-set/resource.js";
import { statefulSets } from "./stateful-set/resource.js";

/** The group `apps`: workloads that keep pods running. */
export function appsResources(context: ApiContext): ResourceDefinition[] {
  return [
    controllerRevisions(context),
    daemonSets(context),
    deployments(context),
    replicaSets(context),
    statefulSets(context),
  ];
}
