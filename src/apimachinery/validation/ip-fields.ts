import { type FieldError, type FieldPath, invalid } from "../errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../levels/api-level.js";
import { addressText, parseCidrBlock } from "./cidr-block.js";
import { parseCidr, parseIp } from "./ip-addresses.js";

/** The required form of addresses and networks in fields. */
export interface IpRules {
  readonly level: ApiLevel;
  /** Whether to refuse forms that programs read differently: leading zeros, IPv4-mapped IPv6, bits beyond the prefix. */
  readonly strict: boolean;
}

/** The rules of the oldest level: any readable form. */
export const firstIpRules: IpRules = { level: "1.23", strict: false };

/** `known`: values that the field already has, which stay valid from 1.33 on. */
export function validateIpField(
  path: FieldPath,
  value: string,
  rules: IpRules,
  known?: ReadonlySet<string>,
): FieldError[] {
  if (isAtLeast(rules.level, "1.33") && known?.has(value)) return [];
  return ipProblems(value, rules).map((problem) => invalid(path, value, problem));
}

/** What is wrong with an address. */
function ipProblems(value: string, { strict }: IpRules): string[] {
  const bytes = parseIp(value);
  if (bytes === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (!strict) return [];
  if (hasLeadingZeros(value)) return ["must not have leading 0s"];
  return isMapped(value, bytes) ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** Like `validateIpField`, for networks, in the words since 1.30. */
export function validateCidrField(
  path: FieldPath,
  value: string,
  rules: IpRules,
  known?: ReadonlySet<string>,
): FieldError[] {
  if (known?.has(value)) return [];
  return cidrProblems(value, rules).map((problem) => invalid(path, value, problem));
}

/** What is wrong with a network. */
function cidrProblems(value: string, { strict }: IpRules): string[] {
  const cidr = cidrParts(value);
  if (cidr === undefined) return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  if (!strict) return [];
  if (cidr.hasZeros) return ["must not have leading 0s in IP or prefix length"];
  if (cidr.isMapped) return ["must not have an IPv4-mapped IPv6 address"];
  return cidr.hasHostBits ? ["must not have bits set beyond the prefix length"] : [];
}

/** For fields that were added after the lenient rules had been given up. */
const strictRules = { level: "1.33", strict: true } as const;
/** Longer texts have none of these forms, and are not parsed. */
const formMax = 64;

/** The problems of an address that must be written in its one canonical form. */
export function canonicalIpProblems(value: string): string[] {
  const text = value.slice(0, formMax + 1);
  const problems = ipProblems(text, strictRules);
  const bytes = parseIp(text);
  if (problems.length > 0 || bytes === undefined) return problems;
  const canonical = addressText(bytes);
  return value === canonical ? [] : [notCanonical(canonical)];
}

/** The errors of a network that must be written in its one canonical form. */
export function validateCanonicalCidr(path: FieldPath, value: string): FieldError[] {
  const text = value.slice(0, formMax + 1);
  const problems = cidrProblems(text, strictRules);
  const canonical = cidrParts(text)?.canonical;
  if (problems.length > 0 || canonical === undefined) {
    return problems.map((problem) => invalid(path, value, problem));
  }
  return value === canonical ? [] : [invalid(path, value, notCanonical(canonical))];
}

function notCanonical(canonical: string): string {
  return `must be in canonical form (${JSON.stringify(canonical)})`;
}

/** What warnings depend on. */
export interface IpWarningWords {
  readonly level: ApiLevel;
  readonly naming: { readonly vendorTitle: string };
}

/** Warnings about an address that is not in the recommended form; before 1.33, also about a text that is not an address. */
export function ipWarnings(path: FieldPath, value: string, { level, naming }: IpWarningWords): string[] {
  const isNew = isAtLeast(level, "1.33");
  const willBeInvalid = (problem: string): string =>
    `${path}: IP address was accepted, but will be invalid in a future ${naming.vendorTitle} release: ${problem}`;
  const bytes = parseIp(value);
  if (bytes === undefined) return isNew ? [] : [willBeInvalid(parseProblem(value))];
  const text = addressText(bytes);
  if (hasLeadingZeros(value) || (isNew && isMapped(value, bytes))) {
    return [
      isNew
        ? `${path}: non-standard IP address "${value}" will be considered invalid in a future ${naming.vendorTitle} release: use "${text}"`
        : willBeInvalid(zerosProblem(value)),
    ];
  }
  const canonical = isMapped(value, bytes) ? `::ffff:${text}` : text;
  if (!value.includes(":") || canonical === value) return [];
  return [
    isNew
      ? `${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`
      : `${path}: IPv6 address "${value}" is not in RFC 5952 canonical format ("${canonical}"), which may cause controller apply-loops`,
  ];
}

/** Like `ipWarnings`, for networks. */
export function cidrWarnings(path: FieldPath, value: string, { level, naming }: IpWarningWords): string[] {
  const cidr = cidrParts(value);
  if (cidr === undefined) return [];
  const isV6 = value.includes(":");
  if (!isAtLeast(level, "1.33")) {
    if (cidr.hasZeros) {
      const address = value.slice(0, value.indexOf("/"));
      const problem = hasLeadingZeros(address)
        ? zerosProblem(address)
        : `bad bits after slash: "${cidr.length}"`;
      return [
        `${path}: IP prefix was accepted, but will be invalid in a future ${naming.vendorTitle} release: netip.ParsePrefix("${value}"): ${problem}`,
      ];
    }
    if (!isV6 || cidr.isMapped || cidr.given === value) return [];
    return [
      `${path}: IPv6 prefix "${value}" is not in RFC 5952 canonical format ("${cidr.given}"), which may cause controller apply-loops`,
    ];
  }
  const warnings: string[] = [];
  if (cidr.hasHostBits) {
    warnings.push(
      `${path}: CIDR value "${value}" is ambiguous in this context (should be "${cidr.canonical}" or "${cidr.single}"?)`,
    );
  }
  if (cidr.hasZeros || cidr.isMapped) {
    warnings.push(
      `${path}: non-standard CIDR value "${value}" will be considered invalid in a future ${naming.vendorTitle} release: use "${cidr.canonical}"`,
    );
  }
  if (warnings.length === 0 && isV6 && cidr.canonical !== value) {
    warnings.push(
      `${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${cidr.canonical}")`,
    );
  }
  return warnings;
}

interface CidrParts {
  /** The prefix length as it is written. */
  readonly length: string;
  /** In an octet of the address, or in the length. */
  readonly hasZeros: boolean;
  readonly isMapped: boolean;
  readonly hasHostBits: boolean;
  /** The network in its shortest form. */
  readonly canonical: string;
  /** The address as given in its shortest form, with the prefix length. */
  readonly given: string;
  /** The network of only this address. */
  readonly single: string;
}

function cidrParts(value: string): CidrParts | undefined {
  const cidr = parseCidr(value);
  const block = parseCidrBlock(value);
  const bytes = cidr === undefined ? undefined : parseIp(cidr.address);
  if (cidr === undefined || block === undefined || bytes === undefined) return undefined;
  const length = value.slice(value.indexOf("/") + 1);
  const address = addressText(bytes);
  return {
    length,
    hasZeros: hasLeadingZeros(cidr.address) || /^0\d/.test(length),
    isMapped: isMapped(cidr.address, bytes),
    hasHostBits: bytes.some((byte, index) => byte !== block.network[index]),
    canonical: `${addressText(block.network)}/${block.prefixLength}`,
    given: `${address}/${block.prefixLength}`,
    single: `${address}/${bytes.length * 8}`,
  };
}

/** Of octets; the groups of IPv6 may have them. */
function hasLeadingZeros(address: string): boolean {
  const tail = address.slice(address.lastIndexOf(":") + 1);
  return tail.includes(".") && /(?:^|\.)0\d/.test(tail);
}

function isMapped(address: string, bytes: Uint8Array): boolean {
  return address.includes(":") && bytes.length === 4;
}

/** Why a text is not an IP address, in the words of Kubernetes' parser. */
function parseProblem(text: string): string {
  if (/^[^.:%]*\./.test(text)) return parserSays(text, ipv4Problem(text));
  return parserSays(text, /^[^.:%]*%/.test(text) ? "missing IPv6 address" : "unable to parse IP");
}

function parserSays(text: string, problem: string): string {
  return `ParseAddr(${JSON.stringify(text)}): ${problem}`;
}

const leadingZero = "IPv4 field has octet with leading zero";

function ipv4Problem(text: string): string {
  const from = (index: number): string => `(at ${JSON.stringify(text.slice(index))})`;
  let [value, digits, dots] = [0, 0, 0];
  for (let index = 0; index < text.length; index++) {
    const digit = "0123456789".indexOf(text.charAt(index));
    if (digit >= 0) {
      if (digits === 1 && value === 0) return leadingZero;
      value = value * 10 + digit;
      digits++;
      if (value > 255) return "IPv4 field has value >255";
    } else if (text[index] === ".") {
      if (digits === 0 || index === text.length - 1) {
        return `IPv4 field must have at least one digit ${from(index)}`;
      }
      if (dots === 3) return "IPv4 address too long";
      [value, digits, dots] = [0, 0, dots + 1];
    } else return `unexpected character ${from(index)}`;
  }
  return "IPv4 address too short";
}

function zerosProblem(address: string): string {
  return parserSays(address, leadingZero);
}
