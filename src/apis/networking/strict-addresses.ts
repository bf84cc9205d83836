import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { parseCidrBlock } from "../../apimachinery/validation/cidr-block.js";
import { parseCidr, parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { ipText } from "../../apimachinery/values/ip-text.js";

/** No form is longer: what is longer is not parsed. */
const textMax = 64;
const leadingZero = /(^|[.:/])0\d/;
const mappedIpv6 = /^::ffff:|^(0{1,4}:){5}ffff:/i;

/** The problems of an address that must be written in its one canonical form. */
export function strictIpProblems(value: string): string[] {
  const bytes = value.length > textMax ? undefined : parseIp(value);
  if (bytes === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (!value.includes(":") && leadingZero.test(value)) return ["must not have leading 0s"];
  if (value.includes(":") && bytes.length === 4) return ["must not be an IPv4-mapped IPv6 address"];
  const canonical = ipText(bytes);
  return value === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}

/** The errors of a range that must be written in its one canonical form. */
export function validateStrictCidr(path: FieldPath, value: string): FieldError[] {
  const problem = strictCidrProblem(value);
  return problem === undefined ? [] : [invalid(path, value, problem)];
}

function strictCidrProblem(value: string): string | undefined {
  const cidr = value.length > textMax ? undefined : parseCidr(value);
  const block = cidr && parseCidrBlock(value);
  const bytes = cidr && parseIp(cidr.address);
  if (cidr === undefined || block === undefined || bytes === undefined) {
    return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  }
  const hasLeadingZero = cidr.address.includes(":") ? /\/0\d/ : leadingZero;
  if (hasLeadingZero.test(value)) return "must not have leading 0s in IP or prefix length";
  if (mappedIpv6.test(cidr.address)) return "must not have an IPv4-mapped IPv6 address";
  if (!Buffer.from(block.network).equals(bytes)) return "must not have bits set beyond the prefix length";
  const canonical = `${ipText(bytes)}/${cidr.prefixLength}`;
  return value === canonical ? undefined : `must be in canonical form (${JSON.stringify(canonical)})`;
}
