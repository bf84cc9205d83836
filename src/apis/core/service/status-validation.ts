import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { parseIp } from "../../../apimachinery/validation/ip-addresses.js";
import type { LoadBalancerStatus, Service } from "../../gen/core-v1.js";
import { problemsAt } from "../pod-spec/value-checks.js";

export function validateServiceStatus({ status }: Service): FieldError[] {
  return validateLoadBalancerStatus(status.loadBalancer, FieldPath.of("status", "loadBalancer"));
}

/** Also used for ingresses. */
function validateLoadBalancerStatus(status: LoadBalancerStatus, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { ip = "", hostname = "" }] of (status.ingress ?? []).entries()) {
    const itemPath = path.child("ingress").index(index);
    if (ip !== "" && parseIp(ip) === undefined) {
      errors.push(invalid(itemPath.child("ip"), ip, "must be a valid IP address"));
    }
    if (hostname === "") continue;
    append(errors, problemsAt(itemPath.child("hostname"), hostname, isDns1123Subdomain(hostname)));
    if (parseIp(hostname) !== undefined) {
      errors.push(invalid(itemPath.child("hostname"), hostname, "must be a DNS name, not an IP address"));
    }
  }
  return errors;
}
