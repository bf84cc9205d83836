import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import type { PeerCertificate } from "./exchange.js";

/** Longer chains are cut: nobody verifies them, and the client chooses their length. */
const chainLengthMax = 16;

/** Undefined when the client presented none. */
export function readPeerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  // Node answers an object without fields when there is no certificate, and null after the socket closed.
  const leaf: Partial<DetailedPeerCertificate> | null = socket.getPeerCertificate(true);
  if (leaf?.raw === undefined) return undefined;
  const chain: Buffer[] = [];
  let current: Partial<DetailedPeerCertificate> | undefined = leaf;
  while (current?.raw !== undefined && chain.length < chainLengthMax) {
    chain.push(current.raw);
    // The last certificate of a chain names itself as its issuer.
    current = current.issuerCertificate === current ? undefined : current.issuerCertificate;
  }
  const subject: { readonly CN?: unknown; readonly O?: unknown } = leaf.subject ?? {};
  const commonNames = texts(subject.CN);
  return {
    chain,
    // The last one wins, as in Go's `pkix.Name`.
    commonName: commonNames[commonNames.length - 1] ?? "",
    organizations: texts(subject.O),
    authorized: socket.authorized,
  };
}

/** A repeated attribute comes as an array. */
function texts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : [];
}
