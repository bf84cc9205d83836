import { networkInterfaces } from "node:os";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";
import type { Options } from "../options/options.js";

export interface ServiceRange {
  /** May have bits beyond the prefix. */
  readonly address: string;
  readonly prefixLength: number;
}

/** Default of `--service-cluster-ip-range`. */
export const defaultServiceRange: ServiceRange = { address: "10.0.0.0", prefixLength: 24 };

/** The first usable address of a range, that of the API server's own service. */
export function firstAddress({ address, prefixLength }: ServiceRange): string {
  const parsed = parseIp(address);
  if (parsed === undefined) throw new Error(`${address} is not an IP address`);
  const bytes = [...parsed].map((byte, index) => byte & networkMask(prefixLength - index * 8));
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) + 1;
  if (bytes.length === 4) return bytes.join(".");
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2)
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  // The URL parser normalizes to the short form of RFC 5952.
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}

/** One byte of an address, of which `bits` belong to the network. */
function networkMask(bits: number): number {
  return bits <= 0 ? 0 : bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff;
}

/**
 * The address at which others reach this server: the configured one, the one it listens on, or the first address of this host that is
 * not local. Undefined when there is none.
 */
export function advertisedAddress(given: string | undefined, bindAddress: string): string | undefined {
  if (given !== undefined && given !== "") return given;
  if (!forThisHostAlone.test(bindAddress)) return bindAddress;
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(
      (address) => address.family === "IPv4" && !address.internal && !address.address.startsWith("169.254."),
    );
  return outside?.address;
}

/**
 * `host:port` for URLs that this server publishes: the external host name, which may include a port, or else the advertised address. `port`
 * is the one it listens on.
 */
export function publishedAddress(
  options: Pick<Options, "externalHostname" | "advertiseAddress" | "bindAddress">,
  port: number,
): string {
  const { externalHostname, advertiseAddress, bindAddress } = options;
  const host = externalHostname ?? advertisedAddress(advertiseAddress, bindAddress) ?? "127.0.0.1";
  if (/^([^:]*|\[.*\]):\d+$/.test(host)) return host;
  return host.includes(":") && !host.startsWith("[") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only this machine reaches what listens on `address`. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127\.[0-9.]+$/.test(address);
}

/** Unspecified and loopback addresses, which are meaningless elsewhere. */
const forThisHostAlone = /^(|0\.0\.0\.0|::|::1|localhost|127\..*)$/;
