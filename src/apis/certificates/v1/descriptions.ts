import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const requester = "Set by the server; cannot be changed.";

export const certificatesV1Descriptions: TypeDescriptions = {
  CertificateSigningRequest: {
    about:
      "Asks a signer for a certificate. Once it is approved, the signer puts the certificate into the status.",
    fields: {
      spec: "The request and its signer. The server adds who sent it; nothing can be changed.",
      status:
        "Decision about the request and, once signed, the certificate. Written through the subresources approval and status.",
    },
  },
  CertificateSigningRequestSpec: {
    about: "Which certificate is asked for, and by whom. Nothing of it can be changed.",
    fields: {
      expirationSeconds:
        "Seconds for which the certificate is to be valid, at least 600; the signer may decide otherwise. Default: the signer's.",
      extra: `Further facts about the user who asks. ${requester}`,
      groups: `Groups of the user who asks. ${requester}`,
      request: "The request in PKCS #10, as PEM of the type CERTIFICATE REQUEST, in base64.",
      signerName: "Signer that is asked, as DOMAIN/PATH. It decides which requests it accepts.",
      uid: `Uid of the user who asks. ${requester}`,
      usages:
        "What the key is to be used for, such as digital signature, key encipherment, client auth or server auth.",
      username: `Name of the user who asks. ${requester}`,
    },
  },
  CertificateSigningRequestStatus: {
    about: "Whether a certificate was approved, and the certificate itself.",
    fields: {
      certificate:
        "The certificate and any intermediate ones, as PEM in base64. Set once, by the signer; cannot be changed.",
      conditions: "Approved, Denied or Failed. Approved and Denied cannot be removed, nor both be there.",
    },
  },
  CertificateSigningRequestCondition: {
    fields: {
      ...conditionFields,
      lastUpdateTime: "When the condition was last written.",
      status: "Always True for Approved, Denied and Failed.",
      type: "Approved (the signer may sign), Denied (it must not) or Failed (it could not).",
    },
  },
};
