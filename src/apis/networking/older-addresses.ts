import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { shortened } from "../../apimachinery/errors/printed-value.js";
import { addressProblem, prefixProblem } from "../../apimachinery/validation/address-problem.js";
import { addressText } from "../../apimachinery/validation/cidr-block.js";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { isValidPathSegmentName } from "../../apimachinery/validation/object-name.js";

/** The rules for addresses and ranges of services before 1.33: what Go's `net/netip` parses, in its words and its form. */

/** The problems of the name of an address. */
export function olderIpProblems(value: string): string[] {
  const text = shortened(value);
  const problem = addressProblem(text);
  if (problem !== undefined) return [problem];
  if (canonicalText(text) !== text) return ["must be a canonical format IP address"];
  return isValidPathSegmentName(text);
}

export function validateOlderCidr(path: FieldPath, value: string): FieldError[] {
  const problem = prefixProblem(shortened(value));
  if (problem !== undefined) return [invalid(path, value, problem)];
  const slash = value.lastIndexOf("/");
  const [address, length] = [value.slice(0, slash), value.slice(slash + 1)];
  const problems: string[] = [];
  if (hasHostBits(address, Number(length))) {
    problems.push("wrong CIDR format, IP doesn't match network IP address");
  }
  if (`${canonicalText(address)}/${length}` !== value) {
    problems.push("CIDR not in RFC 5952 canonical format");
  }
  return problems.map((why) => invalid(path, value, why));
}

function canonicalText(address: string): string | undefined {
  const percent = address.indexOf("%");
  const [text, zone] = percent < 0 ? [address, ""] : [address.slice(0, percent), address.slice(percent)];
  const bytes = parseIp(text);
  if (bytes === undefined) return undefined;
  const isMapped = bytes.length === 4 && text.includes(":");
  return `${isMapped ? "::ffff:" : ""}${addressText(bytes)}${zone}`;
}

function hasHostBits(address: string, length: number): boolean {
  const bytes = parseIp(address) ?? new Uint8Array();
  const isMapped = bytes.length === 4 && address.includes(":");
  const all = isMapped ? [...mappedPrefix, ...bytes] : [...bytes];
  return all.some((byte, index) => (byte & (0xff >> Math.max(0, Math.min(8, length - 8 * index)))) !== 0);
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
