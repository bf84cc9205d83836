import type { X509Certificate } from "node:crypto";

/**
 * The certificates that a TLS client presented, unverified. One object stands for one connection, so that verdicts on it can be cached
 * as long as the connection lives.
 */
export interface PresentedChain {
  readonly leaf: X509Certificate;
  /** In the order sent; meant to lead from the leaf to an authority. */
  readonly others: readonly X509Certificate[];
}

export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export function subjectOf(certificate: X509Certificate): CertificateSubject {
  const subject: { readonly CN?: unknown; readonly O?: unknown } = certificate.toLegacyObject().subject ?? {};
  return {
    // The last one wins, as in Go's `pkix.Name`.
    commonName: textsOf(subject.CN).at(-1) ?? "",
    organizations: textsOf(subject.O),
  };
}

/** A repeated attribute comes as an array. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
