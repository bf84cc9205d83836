import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { PeerCertificates } from "./exchange.js";

/**
 * Undefined when the client presented none. Some releases of Node.js expose only the leaf certificate (24.21, 26.8; nodejs/node issue
 * 65579): a chain that needs intermediates is then refused, unless they are in the CA file.
 */
export function readPeerCertificates(socket: TLSSocket): PeerCertificates | undefined {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return undefined;
  const others: X509Certificate[] = [];
  // Node.js links the certificates in the order sent; none need be the issuer of the one before.
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate)
    others.push(next);
  return { leaf, others };
}
