import { Buffer } from "node:buffer";
import { X509Certificate } from "node:crypto";

const blockBegin = "-----BEGIN CERTIFICATE-----";
const blockEnd = "-----END CERTIFICATE-----";
/** Limit of PEM blocks to try. Kubernetes has none: it goes on until one parses. */
const blocksMax = 100;

/**
 * Why a base64 bundle contains no usable certificate, in Kubernetes' words; undefined if it has one. Other blocks and certificates that
 * do not parse are ignored then.
 */
export function caBundleProblem(base64: string): string | undefined {
  const bundle = Buffer.from(base64, "base64").toString("latin1");
  let blocks = 0;
  for (let at = bundle.indexOf(blockBegin); at >= 0 && blocks < blocksMax; blocks++) {
    const end = bundle.indexOf(blockEnd, at);
    if (end < 0) break;
    if (isCertificate(bundle.slice(at, end + blockEnd.length))) return undefined;
    at = bundle.indexOf(blockBegin, end);
  }
  const why = blocks === 0 ? "unable to parse bytes as PEM block" : "failed to parse certificate";
  return `unable to load root certificates: ${why}`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== undefined;
  } catch {
    return false;
  }
}
