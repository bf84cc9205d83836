import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { nameIsDns1035Label, nameIsDnsLabel } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy } from "../../definition/strategy.js";
import type { Service } from "../../gen/core-v1.js";
import { dropUselessPolicy } from "./read-defaults.js";
import {
  isExternallyAccessible,
  isSameList,
  needsClusterIp,
  needsHealthCheckNodePort,
  needsNodePort,
  nodePortsOf,
} from "./service-traits.js";
import { validateServiceUpdate } from "./update-validation.js";
import { validateService } from "./validation.js";
import { serviceWarnings } from "./warnings.js";

/** `registry/service` allocates addresses and ports before this runs. */
export function serviceStrategy(context: ApiContext): Strategy<Service> {
  return strategy<Service>({
    validateName: context.isEnabled("RelaxedServiceNameValidation") ? nameIsDnsLabel : nameIsDns1035Label,
    allowCreateOnUpdate: true,
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = { loadBalancer: {} };
      dropDisabledFields(context, object, undefined);
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
      dropDisabledFields(context, object, old);
      dropTypeDependentFields(object, old, context.level);
    },
    validate: (_context, object) => validateService(context, object, undefined),
    validateUpdate: (_context, object, old) => validateServiceUpdate(context, object, old),
    canonicalize: (_context, object) => dropUselessPolicy(object, context.level),
    warningsOnCreate: (_context, object) => serviceWarnings(context, object),
    warningsOnUpdate: (_context, object) => serviceWarnings(context, object),
  });
}

/** Drops fields of disabled gates unless the old object uses them. */
function dropDisabledFields(context: ApiContext, { spec }: Service, old: Service | undefined): void {
  const gatedFields = [
    ["ServiceLBNodePortControl", "allocateLoadBalancerNodePorts"],
    ["ServiceLoadBalancerClass", "loadBalancerClass"],
    ["ServiceInternalTrafficPolicy", "internalTrafficPolicy"],
  ] as const;
  for (const [gate, field] of gatedFields) {
    if (!context.isEnabled(gate) && old?.spec[field] === undefined) spec[field] = undefined;
  }
}

/**
 * A change of type clears fields that the new type does not use, unless the same write changes them too: then validation reports them.
 */
function dropTypeDependentFields(object: Service, old: Service, level: ApiLevel): void {
  const { spec } = object;
  if (needsClusterIp(old) && !needsClusterIp(object)) {
    const isSameIp = (spec.clusterIP ?? "") === (old.spec.clusterIP ?? "");
    if (isSameIp && isSameList(spec.clusterIPs, old.spec.clusterIPs)) {
      spec.clusterIP = undefined;
      spec.clusterIPs = undefined;
    }
    if (isSameList(spec.ipFamilies, old.spec.ipFamilies)) spec.ipFamilies = undefined;
    dropUnchanged(object, old, "ipFamilyPolicy");
  }
  if (needsNodePort(old) && !needsNodePort(object)) {
    const oldPorts = nodePortsOf(old);
    if ([...nodePortsOf(object)].every((port) => oldPorts.has(port))) {
      for (const port of spec.ports ?? []) port.nodePort = undefined;
    }
  }
  if (needsHealthCheckNodePort(old) && !needsHealthCheckNodePort(object)) {
    dropUnchanged(object, old, "healthCheckNodePort");
  }
  if (old.spec.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    dropUnchanged(object, old, "allocateLoadBalancerNodePorts", "loadBalancerClass");
  }
  if (isExternallyAccessible(old, level) && !isExternallyAccessible(object, level)) {
    dropUnchanged(object, old, "externalTrafficPolicy");
  }
  // The load balancer is deleted asynchronously, but its address no longer belongs to the service.
  if (spec.type !== "LoadBalancer") object.status = { ...object.status, loadBalancer: {} };
}

type DroppedField =
  | "ipFamilyPolicy"
  | "healthCheckNodePort"
  | "allocateLoadBalancerNodePorts"
  | "loadBalancerClass"
  | "externalTrafficPolicy";

function dropUnchanged({ spec }: Service, old: Service, ...fields: readonly DroppedField[]): void {
  for (const field of fields) if (spec[field] === old.spec[field]) spec[field] = undefined;
}
