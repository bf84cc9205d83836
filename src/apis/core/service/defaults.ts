import type { ApiContext } from "../../definition/api-context.js";
import type { Service } from "../../gen/core-v1.js";
import { hasInternalTrafficPolicy, isExternallyAccessible } from "./service-traits.js";

/** Three hours. */
const affinityTimeoutSeconds = 10_800;

export function setServiceDefaults(context: ApiContext, object: Service): void {
  const { spec } = object;
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") spec.sessionAffinityConfig = undefined;
  if (
    spec.sessionAffinity === "ClientIP" &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinityTimeoutSeconds } };
  }
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ||= "TCP";
    if (port.targetPort === 0 || port.targetPort === "") port.targetPort = port.port;
  }
  if (isExternallyAccessible(object, context.level)) spec.externalTrafficPolicy ||= "Cluster";
  if (hasInternalTrafficPolicy(context, object)) spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer" && context.isEnabled("ServiceLBNodePortControl")) {
    spec.allocateLoadBalancerNodePorts ??= true;
  }
  if (spec.type === "LoadBalancer" && context.isEnabled("LoadBalancerIPMode")) {
    for (const ingress of object.status.loadBalancer.ingress ?? []) {
      if ((ingress.ip ?? "") !== "") ingress.ipMode ??= "VIP";
    }
  }
}
