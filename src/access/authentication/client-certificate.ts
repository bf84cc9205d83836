import {
  type Authenticated,
  type Authenticator,
  authenticated,
  noCredentials,
  rejected,
} from "./authenticator.js";
import type { ClientAuthorities } from "./certificates/client-authorities.js";
import { subjectOf } from "./certificates/presented-chain.js";
import type { ChainVerdict } from "./certificates/verify-chain.js";

/** `--client-ca-file`: the common name is the user, the organizations are the groups. `observe` is told of every trusted certificate. */
export function createClientCertificateAuthenticator(
  authorities: ClientAuthorities,
  now: () => Date,
  observe?: (expiresInMs: number) => void,
): Authenticator {
  /** All requests of a connection share one user. */
  const users = new WeakMap<ChainVerdict, Authenticated>();
  return {
    authenticate({ certificates }) {
      if (certificates === undefined) return noCredentials;
      const verdict = authorities.verify(certificates, now().getTime());
      if (verdict.kind === "untrusted") return rejected(verdict.reason);
      observe?.(verdict.notAfter - now().getTime());
      const known = users.get(verdict);
      if (known !== undefined) return known;
      const { commonName, organizations } = subjectOf(certificates.leaf);
      if (commonName === "") return noCredentials;
      const result = authenticated({ name: commonName, uid: "", groups: organizations, extra: {} });
      users.set(verdict, result);
      return result;
    },
  };
}
