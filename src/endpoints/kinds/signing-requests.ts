import { issuedCertificateHooks } from "../../registry/certificates/issued-certificates.js";
import type { KindBehaviour } from "./kind-behaviour.js";

export const signingRequests: KindBehaviour = {
  group: "certificates",
  resource: "certificatesigningrequests",
  hooks: ({ certificateIssued }) => issuedCertificateHooks(certificateIssued),
};
