import { isIP } from "node:net";
import type { ParseResult } from "./option.js";
import type { ValueType } from "./value-types.js";

/** Inclusive at both ends. */
export interface PortRange {
  readonly min: number;
  readonly max: number;
}

/** `N1-N2`, `N1+size`, or one port. Source: apimachinery `net.ParsePortRange`. */
export const portRange: ValueType<PortRange> = {
  typeName: "portRange",
  parse: (given) => {
    const match = /^\s*(\d+)\s*(?:([-+])\s*(\d+))?\s*$/.exec(given);
    if (!match) return { problem: `invalid port range ${JSON.stringify(given)}, expected N1-N2` };
    const [, low = "", sign, high = low] = match;
    const min = Number(low);
    const max = sign === "+" ? min + Number(high) : Number(high);
    if (min > 65535 || max > 65535)
      return { problem: `the port range cannot be greater than 65535: ${given}` };
    if (max < min) return { problem: `end port cannot be less than start port: ${given}` };
    return { value: { min, max } };
  },
  format: ({ min, max }) => `${min}-${max}`,
};

/** The address is as given, so it may have bits beyond the prefix. */
export interface Cidr {
  readonly address: string;
  readonly family: 4 | 6;
  readonly prefixLength: number;
}

/** Comma-separated networks in one value. */
export const cidrs: ValueType<readonly Cidr[]> = {
  typeName: "string",
  parse: (given) => {
    const parsed: Cidr[] = [];
    for (const item of given.split(",")) {
      const cidr = parseCidr(item.trim());
      if ("problem" in cidr) return cidr;
      parsed.push(cidr.value);
    }
    return { value: parsed };
  },
  format: (values) => values.map(({ address, prefixLength }) => `${address}/${prefixLength}`).join(","),
};

function parseCidr(text: string): ParseResult<Cidr> {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const family = isIP(address);
  const prefixLength = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (rest.length > 0 || family === 0 || !(prefixLength <= (family === 4 ? 32 : 128))) {
    return { problem: `invalid CIDR address: ${text}` };
  }
  return { value: { address, family: family === 4 ? 4 : 6, prefixLength } };
}

/** A listen address; empty means all interfaces. */
export const listenAddress: ValueType<string> = {
  typeName: "ip",
  parse: (given) => {
    const address = given.trim();
    if (address === "") return { value: "0.0.0.0" };
    return isIP(address) === 0
      ? { problem: `failed to parse IP: ${JSON.stringify(given)}` }
      : { value: address };
  },
  format: (value) => value,
};

export interface NamedCertKey {
  readonly certFile: string;
  readonly keyFile: string;
  /** Domain patterns (`*.example.com`) or IPs; empty: the names in the certificate. */
  readonly names: readonly string[];
}

/** `cert,key` or `cert,key:name,name`, one pair to an occurrence. */
export const namedCertKeys: ValueType<readonly NamedCertKey[]> = {
  typeName: "namedCertKey",
  parse: (given, previous) => {
    const colon = given.indexOf(":");
    const files = (colon < 0 ? given : given.slice(0, colon)).split(",").map((part) => part.trim());
    const [certFile, keyFile] = files;
    if (files.length !== 2 || !certFile || !keyFile) {
      return { problem: "expected comma separated certificate and key file paths" };
    }
    const names =
      colon < 0
        ? []
        : given
            .slice(colon + 1)
            .split(",")
            .map((name) => name.trim());
    if (names.some((name) => name === "")) return { problem: "empty names list is not allowed" };
    return { value: [...(previous ?? []), { certFile, keyFile, names }] };
  },
  format: (values) =>
    values
      .map(
        ({ certFile, keyFile, names }) =>
          `${certFile},${keyFile}${names.length > 0 ? `:${names.join(",")}` : ""}`,
      )
      .join(";"),
};
