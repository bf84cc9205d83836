import { addressProblem, prefixProblem } from "../validation/address-problem.js";
import { parseIp } from "../validation/ip-addresses.js";
import { ipFromBigInt, ipText, ipToBigInt } from "../values/ip-text.js";
import { CelRuntimeError } from "./cel-error.js";
import { define, type FunctionRules } from "./cel-function.js";
import { scalarTypes, typeText } from "./cel-type.js";
import { CelOpaque, type CelValue } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

interface Network {
  readonly bytes: Uint8Array;
  readonly prefixLength: number;
}

type Ip = CelOpaque<Uint8Array>;
type Cidr = CelOpaque<Network>;

const parsing: FunctionRules = { cost: ([size = 0]) => 20 + size * 0.1, estimate: callEstimates.scan };
const comparing: FunctionRules = {
  cost: ([, size = 0]) => 20 + size * 0.1,
  estimate: callEstimates.containsAddress,
};
const comparingNetworks: FunctionRules = { ...comparing, estimate: callEstimates.containsNetwork };

/** Longer than any address. */
const addressLengthMax = 64;
/** How much of a text that is not an address an error shows. */
const shownLengthMax = 1024;

/** Stricter than fields of built-in kinds: no leading zeros, and no IPv4 address within an IPv6 address. */
function strictIp(text: string): Uint8Array | undefined {
  if (text.length > addressLengthMax || /(?:^|[.:])0\d+(?:\.|$)/.test(text)) return undefined;
  const bytes = parseIp(text);
  return bytes?.length === 4 && text.includes(":") ? undefined : bytes;
}

function ipOf(bytes: Uint8Array): Ip {
  return new CelOpaque(typeText(scalarTypes.ip), bytes, ipText(bytes));
}

function cidrOf(network: Network): Cidr {
  const key = `${ipText(network.bytes)}/${network.prefixLength}`;
  return new CelOpaque(typeText(scalarTypes.cidr), network, key);
}

function parsedNetwork(text: string): Network | undefined {
  const slash = text.indexOf("/");
  const bytes = strictIp(text.slice(0, Math.max(0, slash)));
  const length = text.slice(slash + 1);
  if (bytes === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength > bytes.length * 8 ? undefined : { bytes, prefixLength };
}

function parsedIp(text: string): Ip {
  const bytes = strictIp(text);
  if (bytes !== undefined) return ipOf(bytes);
  const shown = text.slice(0, shownLengthMax);
  const quoted = JSON.stringify(shown);
  const problem = addressProblem(shown);
  if (problem !== undefined) {
    throw new CelRuntimeError(`IP Address ${quoted} parse error during conversion from string: ${problem}`);
  }
  throw new CelRuntimeError(
    shown.includes("%")
      ? `IP address ${quoted} with zone value is not allowed`
      : `IPv4-mapped IPv6 address ${quoted} is not allowed`,
  );
}

function parsedCidr(text: string): Cidr {
  const network = parsedNetwork(text);
  if (network !== undefined) return cidrOf(network);
  const shown = text.slice(0, shownLengthMax);
  const problem = prefixProblem(shown);
  const what = "network address parse error during conversion from string";
  throw new CelRuntimeError(
    problem === undefined
      ? `${what}: IPv4-mapped IPv6 address ${JSON.stringify(shown)} is not allowed`
      : `${what}: ${what}: ${problem}`,
  );
}

function prefixOf(bytes: Uint8Array, length: number): bigint {
  return ipToBigInt(bytes) >> BigInt(bytes.length * 8 - length);
}

function containsIp({ value: { bytes, prefixLength } }: Cidr, other: Uint8Array): boolean {
  return other.length === bytes.length && prefixOf(bytes, prefixLength) === prefixOf(other, prefixLength);
}

function containsCidr(cidr: Cidr, { value }: Cidr): boolean {
  return value.prefixLength >= cidr.value.prefixLength && containsIp(cidr, value.bytes);
}

function masked({ value: { bytes, prefixLength } }: Cidr): Cidr {
  const hostBits = BigInt(bytes.length * 8 - prefixLength);
  const network = ipFromBigInt((ipToBigInt(bytes) >> hostBits) << hostBits, bytes.length === 4 ? 4 : 16);
  return cidrOf({ bytes: network, prefixLength });
}

/** Parses the network on first use, because most servers never call these functions. */
const isWithin = (network: string): ((ip: Ip) => boolean) => {
  let cidr: Cidr | undefined;
  return ({ value }) => {
    cidr ??= parsedCidr(network);
    return containsIp(cidr, value);
  };
};
const either =
  (...tests: readonly ((ip: Ip) => boolean)[]) =>
  (ip: Ip): boolean =>
    tests.some((test) => test(ip));

const isUnspecified = either(isWithin("0.0.0.0/32"), isWithin("::/128"));
const isLoopback = either(isWithin("127.0.0.0/8"), isWithin("::1/128"));
const isLinkLocalMulticast = either(isWithin("224.0.0.0/24"), isLinkLocalMulticast6);
const isLinkLocalUnicast = either(isWithin("169.254.0.0/16"), isWithin("fe80::/10"));
const isMulticast = either(isWithin("224.0.0.0/4"), isWithin("ff00::/8"));
const isNoUnicast = either(
  isUnspecified,
  isWithin("255.255.255.255/32"),
  isLoopback,
  isMulticast,
  isLinkLocalUnicast,
);

/** The flags of the address do not matter. */
function isLinkLocalMulticast6({ value }: Ip): boolean {
  return value.length === 16 && value[0] === 0xff && ((value[1] ?? 0) & 0x0f) === 0x02;
}

const family = ({ length }: Uint8Array): CelValue => (length === 4 ? 4n : 6n);

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", IP address and CIDR libraries. */
export const ipFunctions = [
  define("ip(string): ip", ([text]) => parsedIp(text), parsing),
  define("isIP(string): bool", ([text]) => strictIp(text) !== undefined, parsing),
  define("ip::isCanonical(string): bool", ([text]) => parsedIp(text).key === text, {
    ...parsing,
    estimate: callEstimates.scanTwice,
  }),
  define("ip.family(): int", ([{ value }]) => family(value)),
  define("ip.isUnspecified(): bool", ([ip]) => isUnspecified(ip)),
  define("ip.isLoopback(): bool", ([ip]) => isLoopback(ip)),
  define("ip.isLinkLocalMulticast(): bool", ([ip]) => isLinkLocalMulticast(ip)),
  define("ip.isLinkLocalUnicast(): bool", ([ip]) => isLinkLocalUnicast(ip)),
  define("ip.isGlobalUnicast(): bool", ([ip]) => !isNoUnicast(ip)),
  define("string(ip): string", ([{ key }]) => key),
  define("cidr(string): cidr", ([text]) => parsedCidr(text), parsing),
  define("isCIDR(string): bool", ([text]) => parsedNetwork(text) !== undefined, parsing),
  define("cidr.containsIP(string): bool", ([cidr, ip]) => containsIp(cidr, parsedIp(ip).value), comparing),
  define("cidr.containsIP(ip): bool", ([cidr, ip]) => containsIp(cidr, ip.value), comparing),
  define(
    "cidr.containsCIDR(string): bool",
    ([cidr, other]) => containsCidr(cidr, parsedCidr(other)),
    comparingNetworks,
  ),
  define("cidr.containsCIDR(cidr): bool", ([cidr, other]) => containsCidr(cidr, other), comparingNetworks),
  define("cidr.ip(): ip", ([{ value }]) => ipOf(value.bytes)),
  define("cidr.masked(): cidr", ([cidr]) => masked(cidr)),
  define("cidr.prefixLength(): int", ([{ value }]) => BigInt(value.prefixLength)),
  define("string(cidr): string", ([{ key }]) => key),
];
