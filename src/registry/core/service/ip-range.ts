import { type IpFamily, parseCidr, parseIp } from "../../../apimachinery/validation/ip-addresses.js";
import { ipFromBigInt, ipText, ipToBigInt } from "../../../apimachinery/values/ip-text.js";

/** The bitmap has a bit per address, so only the start of an IPv6 network is used. */
const ipv6AddressesMax = 65_536n;

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
  /** `10.0.0.0` of `10.0.0.0/24`. */
  readonly networkAddress: string;
  /** Undefined for an address outside the range, or a malformed one. */
  offsetOf(address: string): number | undefined;
  addressAt(offset: number): string;
}

/** Throws `RangeError` for a malformed network. */
export function createIpRange(cidr: string): IpRange {
  const parsed = parseCidr(cidr);
  const bytes = parseIp(parsed?.address ?? "");
  if (parsed === undefined || bytes === undefined) throw new RangeError(`not a network: ${cidr}`);
  const byteCount = bytes.length === 4 ? 4 : 16;
  const hostBits = BigInt(byteCount * 8 - parsed.prefixLength);
  const network = (ipToBigInt(bytes) >> hostBits) << hostBits;
  const all = 1n << hostBits;
  const usable = byteCount === 4 ? all - 2n : (all > ipv6AddressesMax ? ipv6AddressesMax : all) - 1n;
  const size = usable < 0n ? 0 : Number(usable);
  const first = network + 1n;
  const networkAddress = ipText(ipFromBigInt(network, byteCount));
  return {
    family: parsed.family,
    text: `${networkAddress}/${parsed.prefixLength}`,
    size,
    networkAddress,
    offsetOf(address) {
      const given = parseIp(address);
      if (given?.length !== byteCount) return undefined;
      const offset = ipToBigInt(given) - first;
      return offset >= 0n && offset < size ? Number(offset) : undefined;
    },
    addressAt: (offset) => ipText(ipFromBigInt(first + BigInt(offset), byteCount)),
  };
}
