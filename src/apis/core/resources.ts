import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { componentStatuses } from "./component-status/resource.js";
import { configMaps } from "./config-map/resource.js";
import { endpoints } from "./endpoints/resource.js";
import { limitRanges } from "./limit-range/resource.js";
import { namespaces } from "./namespace/resource.js";
import { nodes } from "./node/resource.js";
import { persistentVolumes } from "./persistent-volume/resource.js";
import { persistentVolumeClaims } from "./persistent-volume-claim/resource.js";
import { podResources } from "./pod/resources.js";
import { resourceQuotas } from "./resource-quota/resource.js";
import { secrets } from "./secret/resource.js";
import { services } from "./service/resource.js";
import { serviceAccounts } from "./service-account/resource.js";

/** The core group, served under `/api/v1`. */
export function coreResources(context: ApiContext): ResourceDefinition[] {
  return [
    componentStatuses(context),
    configMaps(context),
    endpoints(context),
    limitRanges(context),
    namespaces(context),
    nodes(context),
    persistentVolumeClaims(context),
    persistentVolumes(context),
    ...podResources(context),
    resourceQuotas(context),
    secrets(context),
    serviceAccounts(context),
    services(context),
  ];
}
