import { appsResources } from "./apps/resources.js";
import { autoscalingResources } from "./autoscaling/resources.js";
import { batchResources } from "./batch/resources.js";
import { coordinationResources } from "./coordination/resources.js";
import { coreResources } from "./core/resources.js";
import type { ApiContext } from "./definition/api-context.js";
import type { ResourceDefinition } from "./definition/resource-definition.js";
import { discoveryResources } from "./discovery/resources.js";
import { networkingResources } from "./networking/resources.js";
import { nodeResources } from "./node/resources.js";
import { policyResources } from "./policy/resources.js";
import { rbacResources } from "./rbac/resources.js";
import { schedulingResources } from "./scheduling/resources.js";
import { storageResources } from "./storage/resources.js";

/** Every built-in resource type. */
export function builtinResources(context: ApiContext): readonly ResourceDefinition[] {
  return [
    ...coreResources(context),
    ...appsResources(context),
    ...autoscalingResources(context),
    ...batchResources(context),
    ...coordinationResources(context),
    ...discoveryResources(context),
    ...networkingResources(context),
    ...nodeResources(context),
    ...policyResources(context),
    ...rbacResources(context),
    ...schedulingResources(context),
    ...storageResources(context),
  ];
}
