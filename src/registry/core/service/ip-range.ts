import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import { addressNumber, addressText, isWithin, parseAddressRange } from "./address-range.js";

/** The bitmap has a bit per address, so only the start of an IPv6 network is used. */
const ipv6AddressesMax = 65_536;

/**
 * The addresses of a network that services can have, numbered from 0. Not counted are the network's own address, IPv4's
 * broadcast address, and what lies beyond the limit for IPv6:
 *
 * | 10.0.0.0/29 | .0 | .1 | .2 | … | .6 | .7 |
 * |---|---|---|---|---|---|---|
 * | offset | – | 0 | 1 | … | 5 | – |
 */
export interface IpRange {
  readonly family: IpFamily;
  /** The network in canonical form, without bits beyond the prefix: `10.0.0.0/24`. */
  readonly text: string;
  /** Number of addresses. */
  readonly size: number;
  /** How many of the first addresses are set aside for requests that name one. */
  readonly staticSize: number;
  /** `10.0.0.0` of `10.0.0.0/24`. */
  readonly networkAddress: string;
  /** Undefined for an address outside the range, or a malformed one. */
  offsetOf(address: string): number | undefined;
  addressAt(offset: number): string;
}

/** Throws `RangeError` for a malformed network. */
export function createIpRange(cidr: string): IpRange {
  const range = parseAddressRange(cidr);
  if (range === undefined) throw new RangeError(`not a network: ${cidr}`);
  const { family, first, last, dynamicFirst, networkAddress, prefixLength } = range;
  const all = Number(last - first + 1n);
  const size = Math.max(0, family === "IPv4" ? all : Math.min(all, ipv6AddressesMax - 1));
  return {
    family,
    text: `${networkAddress}/${prefixLength}`,
    size,
    staticSize: Number(dynamicFirst - first),
    networkAddress,
    offsetOf(address) {
      if (!isWithin(range, address)) return undefined;
      const offset = Number((addressNumber(address) ?? first) - first);
      return offset < size ? offset : undefined;
    },
    addressAt: (offset) => addressText(family, first + BigInt(offset)),
  };
}
