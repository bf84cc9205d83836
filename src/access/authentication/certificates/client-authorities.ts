import { X509Certificate } from "node:crypto";
import { messageOf } from "../../../apimachinery/errors/message-of.js";
import { type CertificateFacts, factsOf } from "./certificate-facts.js";
import type { PresentedChain } from "./presented-chain.js";
import { type ChainVerdict, verifyChain } from "./verify-chain.js";

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM bundle. Throws an `Error` that names the source when one does not parse, or the bundle is empty.
 */
export function parseCertificates(pem: string, source: string): X509Certificate[] {
  const certificates: X509Certificate[] = [];
  for (const [block] of pem.matchAll(certificateBlock)) {
    try {
      certificates.push(new X509Certificate(block));
    } catch (error) {
      throw new Error(`${source}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  if (certificates.length === 0) throw new Error(`${source}: no certificate in the file`);
  return certificates;
}

/**
 * A set of authorities, and the clients they vouch for. Each connection is verified once; it is verified again when the authorities
 * change or a certificate on the path expires or becomes valid.
 */
export class ClientAuthorities {
  #anchors: readonly CertificateFacts[] = [];
  #verdicts = new WeakMap<PresentedChain, ChainVerdict>();

  replace(certificates: readonly X509Certificate[]): void {
    this.#anchors = certificates.map(factsOf);
    this.#verdicts = new WeakMap();
  }

  /** `now` in milliseconds since the epoch. Returns the same object as long as the verdict holds. */
  verify(chain: PresentedChain, now: number): ChainVerdict {
    const known = this.#verdicts.get(chain);
    if (known !== undefined && stillHolds(known, now)) return known;
    const verdict = verifyChain(chain, this.#anchors, now);
    this.#verdicts.set(chain, verdict);
    return verdict;
  }
}

/** A refused connection stays refused: clients retry on a new one. */
function stillHolds(verdict: ChainVerdict, now: number): boolean {
  return verdict.kind === "untrusted" || (now >= verdict.notBefore && now <= verdict.notAfter);
}
