import { append } from "../../../apimachinery/collections/append.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { ipWarnings } from "../../../apimachinery/validation/ip-fields.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { EndpointSlice } from "../../gen/discovery-v1.js";

/** Controllers copy addresses, so they get no warnings about them. */
const controllers = ["endpointslice-controller", "endpointslicemirroring-controller"];

/** Warns of names given as addresses, which proxies ignore. The type has no spec, but Kubernetes names one. */
export function addressTypeWarnings({ addressType }: EndpointSlice): string[] {
  return addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
}

/** Warns of addresses in unusual forms. */
export function addressWarnings(context: ApiContext, object: EndpointSlice): string[] {
  const { metadata, addressType, endpoints = [] } = object;
  const warnings: string[] = [];
  if (addressType === "FQDN") return warnings;
  if (!isAtLeast(context.level, "1.33")) return warnings;
  const { domain, groupDomain } = context.naming;
  const manager = metadata.labels?.[`endpointslice.${domain}/managed-by`];
  if (controllers.some((name) => manager === `${name}.${groupDomain}`)) return warnings;
  for (const [index, { addresses = [] }] of endpoints.entries()) {
    const path = FieldPath.of("endpoints").index(index).child("addresses");
    for (const [at, address] of addresses.entries()) {
      append(warnings, ipWarnings(path.index(at), address, context));
    }
  }
  return warnings;
}
