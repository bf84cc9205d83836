import type { X509Certificate } from "node:crypto";
import { type DerElement, derElements, derObjectId } from "../../../apimachinery/values/der.js";

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

const uidAttribute = "1.3.6.1.4.1.57683.2";
const versionTag = 0xa0;
/** In a certificate without its version: serial number, signature, issuer, validity, subject (RFC 5280 §4.1). */
const subjectPosition = 4;
/** `UTF8String`, `PrintableString` and `IA5String`: the strings that Go reads as text. */
const textTags: ReadonlySet<number> = new Set([0x0c, 0x13, 0x16]);

/**
 * The uid of the user, from the certificate's subject; empty when the subject has none. Throws an `Error` when it has several uids, or one
 * that is not text. Source: apiserver `pkg/authentication/request/x509`.
 */
export function subjectUid(certificate: X509Certificate): string {
  const values = subjectAttributes(certificate.raw).filter(({ id }) => id === uidAttribute);
  const [only] = values;
  if (only === undefined) return "";
  if (values.length > 1) throw new Error(`expected 1 UID, but found multiple: ${values.length}`);
  if (!textTags.has(only.value.tag)) throw new Error("unable to parse UID into a string");
  const uid = Buffer.from(only.value.content).toString("utf8");
  if (uid === "") throw new Error("UID cannot be an empty string");
  return uid;
}

/** Node.js has no name for attributes that OpenSSL does not know. */
function subjectAttributes(raw: Uint8Array): { readonly id: string; readonly value: DerElement }[] {
  const [certificate] = derElements(raw);
  const [tbs] = derElements(certificate?.content ?? new Uint8Array());
  const fields = derElements(tbs?.content ?? new Uint8Array()).filter(({ tag }) => tag !== versionTag);
  return derElements(fields[subjectPosition]?.content ?? new Uint8Array()).flatMap((set) =>
    derElements(set.content).flatMap(({ content }) => {
      const [id, value] = derElements(content);
      return id === undefined || value === undefined ? [] : [{ id: derObjectId(id.content), value }];
    }),
  );
}

/** A repeated attribute comes as an array. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
