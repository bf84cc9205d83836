import type { APIService } from "../../apis/gen/apiregistration-v1.js";
import type { Lease } from "../../apis/gen/coordination-v1.js";
import type {
  ConfigMap,
  Endpoints,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from "../../apis/gen/core-v1.js";
import type { PodDisruptionBudget } from "../../apis/gen/policy-v1.js";
import type { ClusterRole } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "./resource-registry.js";

/** The objects of built-in resources that the server itself works with, in their hub version: by resource and, beyond the core, group. */
export interface BuiltinObjects {
  configmaps: ConfigMap;
  endpoints: Endpoints;
  namespaces: Namespace;
  nodes: Node;
  persistentvolumeclaims: PersistentVolumeClaim;
  persistentvolumes: PersistentVolume;
  pods: Pod;
  resourcequotas: ResourceQuota;
  secrets: Secret;
  serviceaccounts: ServiceAccount;
  services: Service;
  "apiservices.apiregistration": APIService;
  "clusterroles.rbac.authorization": ClusterRole;
  "leases.coordination": Lease;
  "poddisruptionbudgets.policy": PodDisruptionBudget;
}

/** The registry of a built-in resource, with the type of its objects. */
export type BuiltinRegistries = <R extends keyof BuiltinObjects>(
  resource: R,
) => ResourceRegistry<BuiltinObjects[R]>;

/** `registry` looks a resource up by its group, in the profile's words, and throws for one that is not stored. */
export function builtinRegistries(
  registry: (group: string, resource: string) => ResourceRegistry,
  naming: Pick<Naming, "group">,
): BuiltinRegistries {
  return <R extends keyof BuiltinObjects>(name: R) => {
    const dot = name.indexOf(".");
    const [resource, stem] = dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
    const found: unknown = registry(stem === "" ? "" : naming.group(stem), resource);
    // The definition of a built-in resource says of which type its objects are, and the table repeats it.
    return found as ResourceRegistry<BuiltinObjects[R]>;
  };
}
