import type { PeerCertificate as NodePeerCertificate, TLSSocket } from "node:tls";
import type { PeerCertificate } from "./exchange.js";

/** Undefined when the client presented none. */
export function readPeerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  // Node answers an object without fields when there is no certificate, and null after the socket closed.
  const leaf: Partial<NodePeerCertificate> | null = socket.getPeerCertificate();
  if (leaf?.raw === undefined) return undefined;
  const subject: { readonly CN?: unknown; readonly O?: unknown } = leaf.subject ?? {};
  const commonNames = texts(subject.CN);
  return {
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
