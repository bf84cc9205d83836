import { createHash, type X509Certificate } from "node:crypto";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import {
  type AuthenticationResult,
  type Authenticator,
  authenticated,
  noCredentials,
  rejected,
} from "./authenticator.js";
import type { ClientAuthorities } from "./certificates/client-authorities.js";
import { subjectOf, subjectUid } from "./certificates/presented-chain.js";
import type { ChainVerdict } from "./certificates/verify-chain.js";

export interface ClientCertificateSettings {
  readonly authorities: ClientAuthorities;
  readonly now: () => Date;
  /** Receives every trusted certificate. */
  readonly observe?: ((expiresInMs: number) => void) | undefined;
  /** The extra fact that says which credential a user presented; undefined for none. */
  readonly credentialIdKey?: string | undefined;
  /** Whether an attribute of the subject is the user's uid. */
  readonly readsUid?: boolean | undefined;
}

/** `--client-ca-file`: the common name is the user, the organizations are the groups. */
export function createClientCertificateAuthenticator(settings: ClientCertificateSettings): Authenticator {
  const { authorities, now, observe } = settings;
  /** All requests of a connection share one user. */
  const results = new WeakMap<ChainVerdict, AuthenticationResult>();
  return {
    authenticate({ certificates }) {
      if (certificates === undefined) return noCredentials;
      const verdict = authorities.verify(certificates, now().getTime());
      if (verdict.kind === "untrusted") return rejected(verdict.reason);
      observe?.(verdict.notAfter - now().getTime());
      let result = results.get(verdict);
      if (result === undefined) {
        result = resultOf(certificates.leaf, settings);
        results.set(verdict, result);
      }
      return result;
    },
  };
}

function resultOf(
  certificate: X509Certificate,
  { credentialIdKey, readsUid }: ClientCertificateSettings,
): AuthenticationResult {
  const { commonName, organizations } = subjectOf(certificate);
  if (commonName === "") return noCredentials;
  let uid = "";
  try {
    if (readsUid === true) uid = subjectUid(certificate);
  } catch (error) {
    return rejected(messageOf(error));
  }
  const digest = () => createHash("sha256").update(certificate.raw).digest("hex");
  const extra = credentialIdKey === undefined ? {} : { [credentialIdKey]: [`X509SHA256=${digest()}`] };
  return authenticated({ name: commonName, uid, groups: organizations, extra });
}
