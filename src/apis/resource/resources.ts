import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { classicClaims, classicClaimTemplates } from "./classic/claims.js";
import { resourceClaimParameters, resourceClassParameters } from "./classic/parameters.js";
import { podSchedulingContexts, podSchedulings } from "./classic/pod-scheduling.js";
import { resourceClasses } from "./classic/resource-class.js";
import { classicSlices } from "./classic/slices.js";
import { deviceClasses } from "./device-class/resource.js";
import { deviceTaintRules } from "./device-taint-rule/resource.js";
import { resourceClaims } from "./resource-claim/resource.js";
import { resourceClaimTemplates } from "./resource-claim-template/resource.js";
import { resourcePoolStatusRequests } from "./resource-pool-status-request/resource.js";
import { resourceSlices } from "./resource-slice/resource.js";

export function resourceResources(context: ApiContext): ResourceDefinition[] {
  return [
    classicClaims(context),
    classicClaimTemplates(context),
    classicSlices(context),
    podSchedulingContexts(context),
    podSchedulings(context),
    resourceClaimParameters(context),
    resourceClasses(context),
    resourceClassParameters(context),
    deviceClasses(context),
    deviceTaintRules(context),
    resourceClaims(context),
    resourceClaimTemplates(context),
    resourcePoolStatusRequests(context),
    resourceSlices(context),
  ];
}
