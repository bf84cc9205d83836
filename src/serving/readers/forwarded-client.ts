import { X509Certificate } from "node:crypto";
import type { HttpExchange, PeerCertificates } from "../http/exchange.js";

/** The client behind a connection between threads. Plain data, because it is posted to a thread. */
export interface ForwardedClient {
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** "2.0" if the client speaks HTTP/2; undefined: each request states its version. */
  readonly httpVersion: string | undefined;
  /** DER, as sent: the client's own first. Empty if it presented none. */
  readonly certificates: readonly Uint8Array[];
}

export function clientOf({ connection, httpVersion }: HttpExchange): ForwardedClient {
  const { remoteAddress, remotePort, peerCertificates } = connection;
  const certificates =
    peerCertificates === undefined ? [] : [peerCertificates.leaf, ...peerCertificates.others];
  return {
    remoteAddress,
    remotePort,
    httpVersion: httpVersion === "2.0" ? httpVersion : undefined,
    certificates: certificates.map(({ raw }) => new Uint8Array(raw)),
  };
}

export function certificatesOf({ certificates }: ForwardedClient): PeerCertificates | undefined {
  const [leaf, ...others] = certificates.map((der) => new X509Certificate(der));
  return leaf && { leaf, others };
}
