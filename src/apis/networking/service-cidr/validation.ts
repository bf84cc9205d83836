import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printList, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { parseCidr } from "../../../apimachinery/validation/ip-addresses.js";
import { validateCanonicalCidr } from "../../../apimachinery/validation/ip-fields.js";
import { immutableMessage, validateImmutable } from "../../../apimachinery/validation/values.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ServiceCIDR, ServiceCIDRSpec } from "../../gen/networking-v1.js";
import { validateOlderCidr } from "../older-addresses.js";
import { networkingV1Types } from "../v1/types.js";

const rules = fieldRules<ServiceCIDRSpec>(networkingV1Types, "ServiceCIDRSpec");
const path = FieldPath.of("spec", "cidrs");

export function validateServiceCidr({ spec }: ServiceCIDR, level: ApiLevel): FieldError[] {
  const { cidrs = [] } = spec;
  if (cidrs.length === 0) return rules.checkValue("cidrs", cidrs, path);
  if (cidrs.length > 2) {
    return [invalid(path, printedSpec(cidrs), "may only hold up to 2 values")];
  }
  return validateRanges(spec, level);
}

/** At levels from 1.33 on, a second family may be added. */
export function validateServiceCidrUpdate(
  object: ServiceCIDR,
  old: ServiceCIDR,
  level: ApiLevel,
): FieldError[] {
  const { cidrs = [] } = object.spec;
  const { cidrs: before = [] } = old.spec;
  if (!isAtLeast(level, "1.33")) {
    const unchanged = validateImmutable(object.spec.cidrs, old.spec.cidrs, path);
    return [...validateServiceCidr(object, level), ...unchanged];
  }
  const changed = before.flatMap((cidr, index) =>
    cidrs[index] === cidr ? [] : [invalid(path.index(index), cidrs[index] ?? "", immutableMessage)],
  );
  if (cidrs.length === before.length) return changed;
  if (before.length !== 1 || cidrs.length !== 2) return [invalid(path, object.spec.cidrs, immutableMessage)];
  return [...changed, ...validateRanges(object.spec, level)];
}

function validateRanges(spec: ServiceCIDRSpec, level: ApiLevel): FieldError[] {
  const { cidrs = [] } = spec;
  const validateCidr = isAtLeast(level, "1.33") ? validateCanonicalCidr : validateOlderCidr;
  const errors = cidrs.flatMap((cidr, index) => validateCidr(path.index(index), cidr));
  if (cidrs.length !== 2) return errors;
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.family);
  const why = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  if (isAtLeast(level, "1.33")) {
    return first === second && first !== undefined ? [...errors, invalid(path, cidrs, why)] : errors;
  }
  const bothFamilies = first !== undefined && second !== undefined && first !== second;
  return bothFamilies ? errors : [invalid(path, printedSpec(cidrs), why)];
}

function printedSpec(cidrs: readonly string[]): PrintedValue {
  return printStruct("networking.ServiceCIDRSpec", { CIDRs: printList("string", cidrs) });
}
