import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";

/** Refuses addresses that have a special meaning on every machine. */
export function validateNonSpecialIp(address: string, path: FieldPath): FieldError[] {
  return specialIpProblems(address).map((problem) => invalid(path, address, problem));
}

/** Why an address cannot be an endpoint's; empty when it can. */
export function specialIpProblems(address: string): string[] {
  const bytes = parseIp(address);
  if (bytes === undefined) return ["must be a valid IP address"];
  const [first = 0, second = 0, third = 0] = bytes;
  const isV4 = bytes.length === 4;
  const isZero = (part: Uint8Array): boolean => part.every((byte) => byte === 0);
  const found: string[] = [];
  if (isZero(bytes)) found.push("may not be unspecified (0.0.0.0)");
  if (isV4 ? first === 127 : isZero(bytes.subarray(0, 15)) && bytes[15] === 1) {
    found.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (isV4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80) {
    found.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (isV4 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 0x02) {
    found.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return found;
}
