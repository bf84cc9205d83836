import { parseCidr, parseIp } from "./ip-addresses.js";

/** A range of addresses; ranges of different families are disjoint. */
export interface CidrBlock {
  /** First address: 4 or 16 bytes. */
  readonly network: Uint8Array;
  readonly prefixLength: number;
}

export function parseCidrBlock(text: string): CidrBlock | undefined {
  const cidr = parseCidr(text);
  const bytes = cidr === undefined ? undefined : parseIp(cidr.address);
  if (cidr === undefined || bytes === undefined) return undefined;
  // The prefix of an IPv4-mapped IPv6 address counts all 128 bits.
  const prefixLength =
    cidr.address.includes(":") && bytes.length === 4 ? cidr.prefixLength - 96 : cidr.prefixLength;
  return { network: masked(bytes, prefixLength), prefixLength };
}

/** Whether `inner` starts in `outer` and is smaller. */
export function isStrictSubset(inner: CidrBlock, outer: CidrBlock): boolean {
  if (inner.network.length !== outer.network.length || inner.prefixLength <= outer.prefixLength) return false;
  return Buffer.from(masked(inner.network, outer.prefixLength)).equals(outer.network);
}

/** The address in its shortest form. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += 2) {
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  }
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function masked(bytes: Uint8Array, prefixLength: number): Uint8Array {
  return bytes.map((byte, index) => {
    const bits = Math.max(0, Math.min(8, prefixLength - 8 * index));
    return byte & (0xff << (8 - bits));
  });
}
