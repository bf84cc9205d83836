import { type Authenticator, authenticated, noCredentials } from "./authenticator.js";

/** `--client-ca-file`: the common name is the user, the organizations are the groups. */
export const clientCertificateAuthenticator: Authenticator = {
  authenticate({ clientCertificate }) {
    if (clientCertificate === undefined) return noCredentials;
    if (!clientCertificate.authorized) {
      return { kind: "rejected", reason: "x509: certificate signed by unknown authority" };
    }
    if (clientCertificate.commonName === "") return noCredentials;
    return authenticated({
      name: clientCertificate.commonName,
      uid: "",
      groups: clientCertificate.organizations,
      extra: {},
    });
  },
};
