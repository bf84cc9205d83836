import {
  type DeviceObjects,
  type PodClaim,
  podClaimOf,
} from "../../apis/core/resource-quota/device-objects.js";
import { podClaimAnnotation } from "../../apis/core/resource-quota/extended-devices.js";
import type { Naming } from "../../naming/naming.js";
import type { ClusterData } from "./plugin-context.js";

/** Follows device classes and claims. */
export function followDevices(cluster: Pick<ClusterData, "follow" | "read">, naming: Naming): DeviceObjects {
  const annotation = podClaimAnnotation(naming);
  const classes = cluster.follow("deviceclasses.resource", {
    view: (stored) => stored.decode().spec.extendedResourceName,
  });
  const claims = cluster.follow("resourceclaims.resource", {
    view: (stored) => podClaimOf(stored.decode(), annotation),
    indexes: { pod: (claim: PodClaim | undefined) => (claim === undefined ? [] : [claim.pod.uid]) },
  });
  return {
    extendedResourceOf: (className) => classes.get(className),
    pod: (namespace, name) => cluster.read("pods", namespace, name),
    *claimsOf(podUid) {
      for (const claim of claims.find("pod", podUid)) if (claim !== undefined) yield claim;
    },
  };
}
