import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import { type IpRules, validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Service, ServiceSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { isHeadless, noClusterIp } from "./service-traits.js";

const specRules = fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec");
const addressesMax = 2;

/** Validates addresses, families and policy without the cluster's networks. */
export function validateClusterIps(object: Service, old: Service | undefined, rules: IpRules): FieldError[] {
  const { spec } = object;
  // An ExternalName service has none of these fields; that is checked with its type.
  if (spec.type === "ExternalName") return [];
  const path = FieldPath.of("spec");
  const errors = [
    ...syncErrors(object, path.child("clusterIPs")),
    ...specRules.check(spec, path, "ipFamilies", "ipFamilyPolicy"),
  ];
  return [...errors, ...addressErrors(object, path.child("clusterIPs"), rules, old?.spec.clusterIPs)];
}

/** clusterIP is the first of clusterIPs. */
function syncErrors({ spec }: Service, path: FieldPath): FieldError[] {
  const { clusterIP = "", clusterIPs = [] } = spec;
  if (clusterIP === "") {
    return clusterIPs.length === 0
      ? []
      : [invalid(path, clusterIPs, "must be empty when `clusterIP` is not specified")];
  }
  if (clusterIPs.length === 0) return [required(path, "")];
  return clusterIPs[0] === clusterIP ? [] : [invalid(path, clusterIPs, "first value must match `clusterIP`")];
}

function addressErrors(
  object: Service,
  path: FieldPath,
  rules: IpRules,
  known: readonly string[] | undefined,
): FieldError[] {
  const addresses = object.spec.clusterIPs ?? [];
  const errors: FieldError[] = [];
  let isAnyInvalid = false;
  const knownAddresses = new Set(known);
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === noClusterIp) {
      if (addresses.length > 1) {
        isAnyInvalid = true;
        errors.push(invalid(path, addresses, "'None' must be the first and only value"));
      }
      continue;
    }
    const problems = validateIpField(path.index(index), address, rules, knownAddresses);
    isAnyInvalid ||= problems.length > 0;
    append(errors, problems);
  }
  if (addresses.length > addressesMax) errors.push(invalid(path, addresses, "may only hold up to 2 values"));
  // Further errors would only repeat these.
  if (isAnyInvalid) return errors;
  if (addresses.length > 1 && new Set(addresses.map(ipFamilyOf)).size < 2) {
    errors.push(invalid(path, addresses, "may specify no more than one IP for each IP family"));
  }
  return isHeadless(object) ? errors : [...errors, ...mismatchErrors(object, path)];
}

function mismatchErrors({ spec }: Service, path: FieldPath): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const families = specRules.supported("ipFamilies");
  const errors: FieldError[] = [];
  for (const [index, address] of clusterIPs.entries()) {
    const family = ipFamilies[index];
    if (family === undefined || !families.includes(family) || ipFamilyOf(address) === family) continue;
    const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(path.index(index), address, why));
  }
  return errors;
}
