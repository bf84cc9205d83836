/**
 * TLS options to trust what is in a PEM bundle and nothing else; the system's authorities without one. As in Go, each certificate of the
 * bundle is an anchor, even an intermediate authority or the server's own certificate, because people put those into `caBundle`.
 */
export function tlsTrust(caPem: string | undefined): {
  readonly ca?: string;
  readonly allowPartialTrustChain?: boolean;
} {
  return caPem === undefined ? {} : { ca: caPem, allowPartialTrustChain: true };
}
