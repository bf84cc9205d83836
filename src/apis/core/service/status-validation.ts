import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { parseIp } from "../../../apimachinery/validation/ip-addresses.js";
import { validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { ipRules } from "../../checks/ip-rules.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { LoadBalancerIngress, Service } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const ingressRules = fieldRules<LoadBalancerIngress>(coreV1Types, "LoadBalancerIngress");

export function validateServiceStatus(context: ApiContext, object: Service, old: Service): FieldError[] {
  const ingress = object.status.loadBalancer.ingress ?? [];
  const path = FieldPath.of("status", "loadBalancer", "ingress");
  const errors: FieldError[] = [];
  if (ingress.length > 0 && object.spec.type !== "LoadBalancer" && !mayHaveOtherType(context)) {
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const known = new Set((old.status.loadBalancer.ingress ?? []).map(({ ip = "" }) => ip));
  for (const [index, item] of ingress.entries()) {
    append(errors, ingressErrors(context, item, known, path.index(index)));
  }
  return errors;
}

function mayHaveOtherType({ level, isEnabled }: ApiContext): boolean {
  return !isAtLeast(level, "1.29") || isEnabled("AllowServiceLBStatusOnNonLB");
}

function ingressErrors(
  context: ApiContext,
  ingress: LoadBalancerIngress,
  known: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const { ip = "", ipMode, hostname = "" } = ingress;
  const errors: FieldError[] = [];
  if (ip !== "") {
    if (isAtLeast(context.level, "1.30")) {
      append(errors, validateIpField(path.child("ip"), ip, ipRules(context), known));
    } else if (parseIp(ip) === undefined) {
      errors.push(invalid(path.child("ip"), ip, "must be a valid IP address"));
    }
  }
  const modePath = path.child("ipMode");
  if (ipMode === undefined) {
    if (ip !== "" && context.isEnabled("LoadBalancerIPMode")) {
      errors.push(required(modePath, "must be specified when `ip` is set"));
    }
  } else if (ip === "") errors.push(forbidden(modePath, "may not be specified when `ip` is not set"));
  else append(errors, ingressRules.check(ingress, path, "ipMode"));
  append(errors, ingressRules.check(ingress, path, "hostname"));
  if (parseIp(hostname) !== undefined) {
    errors.push(invalid(path.child("hostname"), hostname, "must be a DNS name, not an IP address"));
  }
  return errors;
}
