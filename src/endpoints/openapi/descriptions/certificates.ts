import type { TypeDescriptions } from "./type-descriptions.js";

export const certificatesTypes: TypeDescriptions = {
  CertificateSigningRequest: {
    about: "Asks a signer for a certificate.",
  },
};
