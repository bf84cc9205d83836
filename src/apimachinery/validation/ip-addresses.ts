import { isIPv6 } from "node:net";
import { type FieldError, type FieldPath, invalid } from "../errors/field-error.js";
import { ipText } from "../values/ip-text.js";

const [dot, zero, nine] = [0x2e, 0x30, 0x39];

export type IpFamily = "IPv4" | "IPv6";

/** The family of an address; undefined for anything that `parseIp` rejects. */
export function ipFamilyOf(address: string): IpFamily | undefined {
  const bytes = parseIp(address);
  if (bytes === undefined) return undefined;
  return bytes.length === 4 ? "IPv4" : "IPv6";
}

/**
 * The 4 or 16 bytes of an address. As in Kubernetes, leading zeros in IPv4 octets are taken as decimal, zones
 * (`%eth0`) are refused, and IPv4-mapped IPv6 addresses count as IPv4.
 */
export function parseIp(address: string): Uint8Array | undefined {
  const octets = parseIpv4(address);
  if (octets !== undefined) return octets;
  const tailStart = address.lastIndexOf(":") + 1;
  const tail = parseIpv4(address.slice(tailStart));
  const groups =
    tail === undefined ? address : `${address.slice(0, tailStart)}${hexGroup(tail, 0)}:${hexGroup(tail, 2)}`;
  if (address.includes("%") || !isIPv6(groups)) return undefined;
  const bytes = ipv6Bytes(groups);
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return mapped ? bytes.subarray(12) : bytes;
}

/**
 * The canonical form of an address that `parseIp` accepts. Dial this form: systems read `0177.0.0.1` as 127.0.0.1, so the given
 * text may lead elsewhere than the address that was checked. Undefined for an invalid address.
 */
export function canonicalIp(address: string): string | undefined {
  const bytes = parseIp(address);
  if (bytes === undefined) return undefined;
  if (bytes.length === 4) return bytes.join(".");
  return Array.from({ length: 8 }, (_, group) => hexGroup(bytes, 2 * group)).join(":");
}

const hostName = /^[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*\.?$/i;
/** Unusual spellings of addresses, which systems read: 127.1, 0x7f000001. */
const numericEnd = /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i;

/** What to dial for an address or a host name: an address in its canonical form, a name as it is. Undefined for anything else. */
export function hostToDial(text: string): string | undefined {
  return canonicalIp(text) ?? (hostName.test(text) && !numericEnd.test(text) ? text : undefined);
}

export interface Cidr {
  readonly family: IpFamily;
  readonly address: string;
  readonly prefixLength: number;
}

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  const family = ipFamilyOf(address);
  if (family === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  const prefixLength = Number(length);
  if (prefixLength > (address.includes(":") ? 128 : 32)) return undefined;
  return { family, address, prefixLength };
}

export function validateIpv4Address(path: FieldPath, value: string): FieldError[] {
  return ipFamilyOf(value) === "IPv4" ? [] : [invalid(path, value, "must be a valid IPv4 address")];
}

export function validateIpv6Address(path: FieldPath, value: string): FieldError[] {
  return ipFamilyOf(value) === "IPv6" ? [] : [invalid(path, value, "must be a valid IPv6 address")];
}

function parseIpv4(address: string): Uint8Array | undefined {
  const octets = new Uint8Array(4);
  let place = 0;
  /** Undefined before the first digit of an octet. */
  let value: number | undefined;
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    if (code === dot) {
      if (value === undefined || place === 3) return undefined;
      octets[place++] = value;
      value = undefined;
    } else if (code >= zero && code <= nine) {
      value = (value ?? 0) * 10 + code - zero;
      if (value > 255) return undefined;
    } else return undefined;
  }
  if (value === undefined || place < 3) return undefined;
  octets[3] = value;
  return octets;
}

function hexGroup(bytes: Uint8Array, offset: number): string {
  return (((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0)).toString(16);
}

function ipv6Bytes(address: string): Uint8Array {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = new Array<string>(8 - before.length - after.length).fill("0");
  const bytes = new Uint8Array(16);
  for (const [index, group] of [...before, ...zeros, ...after].entries()) {
    const value = Number.parseInt(group, 16);
    bytes[2 * index] = value >> 8;
    bytes[2 * index + 1] = value & 0xff;
  }
  return bytes;
}

/** An address with the length of its network's prefix, in its canonical form. */
export function validateInterfaceAddress(path: FieldPath, value: string): FieldError[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) {
    const why = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";
    return [invalid(path, value, why)];
  }
  const bytes = parseIp(cidr.address);
  const canonical = `${bytes === undefined ? cidr.address : ipText(bytes)}/${cidr.prefixLength}`;
  return canonical === value ? [] : [invalid(path, value, `must be in canonical form ("${canonical}")`)];
}
