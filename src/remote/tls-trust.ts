/**
 * TLS options to trust only the certificates of a PEM bundle; without one, the system's CAs. As in Go, each certificate of the bundle is
 * an anchor, even an intermediate authority or the server's own certificate, because people put those into `caBundle`.
 */
export function tlsTrust(caPem: string | undefined): {
  readonly ca?: string;
  readonly allowPartialTrustChain?: boolean;
} {
  return caPem === undefined ? {} : { ca: caPem, allowPartialTrustChain: true };
}
