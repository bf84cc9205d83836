import { append } from "../../../apimachinery/collections/append.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { ipWarnings } from "../../../apimachinery/validation/ip-fields.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { EndpointSlice } from "../../gen/discovery-v1.js";

/** Warns of names given as addresses, which proxies ignore, and of addresses in unusual forms. */
export function endpointSliceWarnings(context: ApiContext, object: EndpointSlice): string[] {
  const { addressType, endpoints = [] } = object;
  if (addressType === "FQDN") return ["addressType: FQDN endpoints are deprecated"];
  const warnings: string[] = [];
  if (!isAtLeast(context.level, "1.33")) return warnings;
  for (const [index, { addresses = [] }] of endpoints.entries()) {
    const path = FieldPath.of("endpoints").index(index).child("addresses");
    for (const [at, address] of addresses.entries()) {
      append(warnings, ipWarnings(path.index(at), address, context));
    }
  }
  return warnings;
}
