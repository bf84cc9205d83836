import { X509Certificate } from "node:crypto";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import type { RegistryHooks } from "../generic/write-stages.js";

/** Called for each certificate issued to a request with `expirationSeconds`; `isHonored`: it is valid for about that long. */
export type IssuanceObserver = (signerName: string, isHonored: boolean) => void;

/** Signers backdate certificates. */
const backdatingSeconds = 5 * 60;

/** Reports certificates to `observe` as they are issued. Source: KEP-2784, "CSR Duration". */
export function issuedCertificateHooks(observe: IssuanceObserver): RegistryHooks<CertificateSigningRequest> {
  return {
    afterUpdate({ status }, { spec, status: before }) {
      const { expirationSeconds: wanted, signerName } = spec;
      const { certificate = "" } = status;
      if (wanted === undefined || certificate === "" || (before.certificate ?? "") !== "") return;
      const seconds = lifeOf(Buffer.from(certificate, "base64"));
      observe(signerName, Math.abs(wanted - seconds) < backdatingSeconds + wanted / 20);
    },
  };
}

/** Validity in seconds; NaN for a certificate that cannot be read. */
function lifeOf(pem: Buffer): number {
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    return (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
  } catch {
    return Number.NaN;
  }
}
