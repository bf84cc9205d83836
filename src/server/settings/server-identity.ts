import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { isValidLabelValue } from "../../apimachinery/validation/qualified-name.js";
import type { Naming } from "../../naming/naming.js";

/** Distinguishes a server from others on the same store. */
export interface ServerIdentity {
  /** The name in its lease and in storage versions. */
  readonly name: string;
  /** The process. */
  readonly holder: string;
  /** The label that identifies leases of servers. */
  readonly label: { readonly name: string; readonly value: string };
  /** All labels of the lease. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Until 1.26 each process has its own name; from then on it is the host's. */
export function serverIdentity(naming: Naming, level: ApiLevel, host = hostname()): ServerIdentity {
  const value = naming.commandName;
  if (!isAtLeast(level, "1.26")) {
    const name = `${value}-${randomUUID()}`;
    const label = { name: `${naming.groupDomain}/component`, value };
    return { name, holder: name, label, labels: { [label.name]: value } };
  }
  const hash = createHash("sha256");
  // Extension servers on the same host have other names.
  for (const part of isAtLeast(level, "1.27") ? [host, value].map(withLength) : [host]) hash.update(part);
  const name = `apiserver-${base32(hash.digest().subarray(0, 16))}`;
  const label = { name: `apiserver.${naming.domain}/identity`, value };
  // A host name may be longer than a label.
  const isLabel = isValidLabelValue(host).length === 0;
  const labels = { [label.name]: value, ...(isLabel && { [`${naming.domain}/hostname`]: host }) };
  return { name, holder: `${name}_${randomUUID()}`, label, labels };
}

/** After two bytes with its length. */
function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

const digits = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += digits[(value >> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + digits[(value << (5 - bits)) & 31];
}
