import {
  type IpFamily,
  ipFamilyOf,
  parseCidr,
  parseIp,
} from "../../../apimachinery/validation/ip-addresses.js";
import { ipFromBigInt, ipText, ipToBigInt } from "../../../apimachinery/values/ip-text.js";

/** Smaller ranges reserve no addresses for requests that name one. */
const smallSize = 16n;
/** How many addresses are reserved: allocated only by name, or when all others are taken. */
const [staticMin, staticMax] = [16n, 256n];

/**
 * The addresses of a range that services can have, as numbers. The network's own address and IPv4's broadcast address are excluded. Source:
 * KEP-1880, and KEP-3070 for the lower part, which ends before `dynamicFirst`.
 */
export interface AddressRange {
  readonly family: IpFamily;
  /** `10.0.0.0/24`. */
  readonly text: string;
  readonly prefixLength: number;
  readonly networkAddress: string;
  /** `last` is below `first` in a range without addresses. */
  readonly first: bigint;
  readonly last: bigint;
  /** The first address for services that do not name one. */
  readonly dynamicFirst: bigint;
}

/** Undefined for a malformed range. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const cidr = parseCidr(text);
  const bytes = parseIp(cidr?.address ?? "");
  if (cidr === undefined || bytes === undefined) return undefined;
  const { family, prefixLength } = cidr;
  const hostBits = BigInt(bytes.length * 8 - prefixLength);
  const network = (ipToBigInt(bytes) >> hostBits) << hostBits;
  const all = 1n << hostBits;
  const first = network + 1n;
  return {
    family,
    text,
    prefixLength,
    networkAddress: addressText(family, network),
    first,
    last: network + all - (family === "IPv4" ? 2n : 1n),
    dynamicFirst: first + staticSize(all),
  };
}

/** Leaves out malformed ones. */
export function parseAddressRanges(cidrs: readonly string[] = []): AddressRange[] {
  return cidrs.flatMap((cidr) => parseAddressRange(cidr) ?? []);
}

/** Undefined for a malformed address. */
export function addressNumber(address: string): bigint | undefined {
  const bytes = parseIp(address);
  return bytes && ipToBigInt(bytes);
}

export function addressText(family: IpFamily, value: bigint): string {
  return ipText(ipFromBigInt(value, family === "IPv4" ? 4 : 16));
}

/** Whether the range can allocate the address. */
export function isWithin(range: AddressRange, address: string): boolean {
  const value = addressNumber(address);
  return value !== undefined && ipFamilyOf(address) === range.family && hasAddress(range, value);
}

/** Whether the range, of the same family, can allocate the address with this number. */
export function hasAddress({ first, last }: AddressRange, value: bigint): boolean {
  return first <= value && value <= last;
}

/** A sixteenth of a network, at least 16 and at most 256 addresses; none if the network is no larger than that. */
function staticSize(all: bigint): bigint {
  if (all <= smallSize) return 0n;
  const share = all / 16n;
  if (share < staticMin) return staticMin;
  return share > staticMax ? staticMax : share;
}
