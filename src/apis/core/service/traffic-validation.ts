import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Service, ServiceSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import {
  hasInternalTrafficPolicy,
  isExternallyAccessible,
  needsHealthCheckNodePort,
} from "./service-traits.js";

const rules = fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec");

export function validateExternalTraffic(object: Service, level: ApiLevel): FieldError[] {
  const { externalTrafficPolicy: policy = "", healthCheckNodePort: port = 0 } = object.spec;
  const policyPath = FieldPath.of("spec", "externalTrafficPolicy");
  const portPath = FieldPath.of("spec", "healthCheckNodePort");
  const errors: FieldError[] = [];
  if (!isExternallyAccessible(object, level)) {
    if (policy !== "") {
      const why = isAtLeast(level, "1.29")
        ? "may only be set for externally-accessible services"
        : "may only be set when `type` is 'NodePort' or 'LoadBalancer'";
      errors.push(invalid(policyPath, policy, why));
    }
  } else append(errors, rules.check(object.spec, FieldPath.of("spec"), "externalTrafficPolicy"));

  if (!needsHealthCheckNodePort(object)) {
    if (port !== 0) {
      const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
      errors.push(invalid(portPath, port, why));
    }
  } else append(errors, rules.check(object.spec, FieldPath.of("spec"), "healthCheckNodePort"));
  return errors;
}

export function validateInternalTraffic(context: ApiContext, service: Service): FieldError[] {
  const isAbsent = service.spec.internalTrafficPolicy === undefined;
  if (isAbsent && !hasInternalTrafficPolicy(context, service)) return [];
  return rules.check(service.spec, FieldPath.of("spec"), "internalTrafficPolicy");
}

/** Further values have their own feature gate. */
export function validateTrafficDistribution(context: ApiContext, { spec }: Service): FieldError[] {
  const { trafficDistribution: value } = spec;
  const supported = context.isEnabled("PreferSameTrafficDistribution")
    ? ["PreferClose", "PreferSameZone", "PreferSameNode"]
    : ["PreferClose"];
  if (value === undefined || supported.includes(value)) return [];
  return [notSupported(FieldPath.of("spec", "trafficDistribution"), value, supported)];
}

/** The class of a load balancer is immutable. */
export function validateLoadBalancerClass(old: Service | undefined, { spec }: Service): FieldError[] {
  const path = FieldPath.of("spec", "loadBalancerClass");
  const { loadBalancerClass: name } = spec;
  const errors: FieldError[] = [];
  const isLoadBalancer = spec.type === "LoadBalancer";
  if (old?.spec.type === "LoadBalancer" && isLoadBalancer && old.spec.loadBalancerClass !== name) {
    errors.push(invalid(path, name, "may not change once set"));
  }
  if (name === undefined) return errors;
  if (isLoadBalancer) append(errors, rules.check(spec, FieldPath.of("spec"), "loadBalancerClass"));
  else errors.push(forbidden(path, "may only be used when `type` is 'LoadBalancer'"));
  return errors;
}
