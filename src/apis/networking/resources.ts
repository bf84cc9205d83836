import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { clusterCidrs } from "./cluster-cidr/resource.js";
import { ingresses } from "./ingress/resource.js";
import { ingressClasses } from "./ingress-class/resource.js";
import { ipAddresses } from "./ip-address/resource.js";
import { networkPolicies } from "./network-policy/resource.js";
import { serviceCidrs } from "./service-cidr/resource.js";

export function networkingResources(context: ApiContext): ResourceDefinition[] {
  return [
    clusterCidrs(context),
    ingressClasses(context),
    ingresses(context),
    ipAddresses(context),
    networkPolicies(context),
    serviceCidrs(context),
  ];
}
