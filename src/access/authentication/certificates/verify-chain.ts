import { messageOf } from "../../../apimachinery/errors/message-of.js";
import { type CertificateFacts, factsOf } from "./certificate-facts.js";
import type { PresentedChain } from "./presented-chain.js";

export type ChainVerdict =
  /** Valid between the two times, in milliseconds since the epoch. */
  | { readonly kind: "trusted"; readonly notBefore: number; readonly notAfter: number }
  | { readonly kind: "untrusted"; readonly reason: string };

const clientUse = "1.3.6.1.5.5.7.3.2";
const anyUse = "2.5.29.37.0";

/** Limits the work, because a client may send a hundred kilobytes of certificates. */
const presentedMax = 16;
const depthMax = 10;
const signaturesMax = 24;

/** P-224, P-256, P-384 and P-521. */
const usualCurves: ReadonlySet<string> = new Set(["secp224r1", "prime256v1", "secp384r1", "secp521r1"]);
const modulusBitsMax = 8192;
const exponentMax = 2n ** 31n - 1n;

/**
 * Searches for a path from the client's certificate to one of the authorities, as Go's `crypto/x509` does: any certificate of the
 * bundle is an anchor, intermediates come from the client, and each must be valid now, allowed to sign, and good for client
 * authentication. Names are not checked, because an authority vouches for any common name. Stricter than Go in two points: SHA-1
 * signatures are refused, and so are alternative names below an authority with name constraints.
 */
export function verifyChain(
  chain: PresentedChain,
  anchors: readonly CertificateFacts[],
  now: number,
): ChainVerdict {
  if (chain.others.length > presentedMax) return untrusted("x509: too many certificates");
  let leaf: CertificateFacts;
  let others: CertificateFacts[];
  try {
    leaf = factsOf(chain.leaf);
    others = chain.others.map(factsOf);
  } catch (error) {
    return untrusted(`x509: ${messageOf(error)}`);
  }
  return new PathSearch(anchors, others, now).from(leaf);
}

class PathSearch {
  readonly #anchors: readonly CertificateFacts[];
  readonly #others: readonly CertificateFacts[];
  readonly #now: number;
  #signaturesLeft = signaturesMax;
  /** The problem of the path that got furthest. */
  #reason = "x509: certificate signed by unknown authority";

  constructor(anchors: readonly CertificateFacts[], others: readonly CertificateFacts[], now: number) {
    this.#anchors = anchors;
    this.#others = others;
    this.#now = now;
  }

  from(leaf: CertificateFacts): ChainVerdict {
    const problem = formProblem(leaf) ?? timeProblem(leaf, this.#now);
    if (problem !== undefined) return untrusted(problem);
    const isAnchor = this.#anchors.some(({ certificate }) => certificate.raw.equals(leaf.certificate.raw));
    const path = isAnchor && allowsClients([leaf]) ? [leaf] : this.#extend([leaf]);
    if (path === undefined) return untrusted(this.#reason);
    return {
      kind: "trusted",
      notBefore: Math.max(...path.map(({ notBefore }) => notBefore)),
      notAfter: Math.min(...path.map(({ notAfter }) => notAfter)),
    };
  }

  /** A path to an anchor that begins with `path`, which begins with the leaf. */
  #extend(path: readonly CertificateFacts[]): readonly CertificateFacts[] | undefined {
    for (const anchor of this.#anchors) {
      if (!this.#signed(path, anchor, "anchor")) continue;
      const whole = [...path, anchor];
      if (allowsClients(whole)) return whole;
      this.#reason = "x509: certificate specifies an incompatible key usage";
    }
    if (path.length >= depthMax) return undefined;
    for (const other of this.#others) {
      if (path.includes(other) || !this.#signed(path, other, "intermediate")) continue;
      const whole = this.#extend([...path, other]);
      if (whole !== undefined) return whole;
    }
    return undefined;
  }

  /** Whether `parent` vouches for the end of the path. */
  #signed(
    path: readonly CertificateFacts[],
    parent: CertificateFacts,
    role: "anchor" | "intermediate",
  ): boolean {
    const child = path.at(-1);
    if (child === undefined || child.issuer !== parent.subject) return false;
    const problem = this.#problemOf(path, parent, role);
    if (problem === undefined && this.#signaturesLeft-- > 0 && isSignedBy(child, parent)) return true;
    if (problem !== undefined) this.#reason = problem;
    return false;
  }

  #problemOf(
    path: readonly CertificateFacts[],
    parent: CertificateFacts,
    role: "anchor" | "intermediate",
  ): string | undefined {
    const { unhandledExtension } = parent;
    // The signature of an anchor does not matter, because it is trusted anyway.
    const problem = role === "intermediate" ? formProblem(parent) : extensionProblem(unhandledExtension);
    if (problem !== undefined) return problem;
    if (role === "intermediate" && !hasUsualKey(parent)) {
      return "x509: cannot verify signature: algorithm unimplemented";
    }
    if (!parent.isAuthority && !(role === "anchor" && parent.isVersion1)) {
      return "x509: invalid signature: parent certificate cannot sign this kind of certificate";
    }
    if (parent.pathLength !== undefined && path.length - 1 > parent.pathLength) {
      return "x509: too many intermediates for path length constraint";
    }
    if (parent.hasNameConstraints && path.some(({ hasAlternativeNames }) => hasAlternativeNames)) {
      return "x509: alternative names below an authority with name constraints are not supported";
    }
    return timeProblem(parent, this.#now);
  }
}

/** The keys that Go accepts. With others, a client could make a single verification take 5 to 13 ms. */
function hasUsualKey({ certificate }: CertificateFacts): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    if (type === "ec") return usualCurves.has(details?.namedCurve ?? "");
    if (type !== "rsa") return type === "ed25519";
    const { modulusLength = 0, publicExponent = 0n } = details ?? {};
    return modulusLength <= modulusBitsMax && publicExponent <= exponentMax;
  } catch {
    return false;
  }
}

function isSignedBy(child: CertificateFacts, parent: CertificateFacts): boolean {
  try {
    return child.certificate.verify(parent.certificate.publicKey);
  } catch {
    // The key and the signature have different types.
    return false;
  }
}

function formProblem({ isWeaklySigned, unhandledExtension }: CertificateFacts): string | undefined {
  if (isWeaklySigned) return "x509: cannot verify signature: insecure algorithm";
  return extensionProblem(unhandledExtension);
}

function extensionProblem(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `x509: unhandled critical extension ${id}`;
}

function timeProblem({ notBefore, notAfter }: CertificateFacts, now: number): string | undefined {
  const problem = "x509: certificate has expired or is not yet valid: current time";
  const at = (time: number): string => new Date(time).toISOString();
  if (!(now >= notBefore)) return `${problem} ${at(now)} is before ${at(notBefore)}`;
  if (!(now <= notAfter)) return `${problem} ${at(now)} is after ${at(notAfter)}`;
  return undefined;
}

/** Usages are intersected along the path, as in Go: each certificate that lists some must list this one. */
function allowsClients(path: readonly CertificateFacts[]): boolean {
  return path.every(
    ({ extendedUsages }) =>
      extendedUsages === undefined || extendedUsages.includes(clientUse) || extendedUsages.includes(anyUse),
  );
}

function untrusted(reason: string): ChainVerdict {
  return { kind: "untrusted", reason };
}
