import type { UserInfo } from "../../apimachinery/request-info.js";
import { type Authenticator, anonymousUser, bearerToken, type Credentials } from "./authenticator.js";

/**
 * Asks the mechanisms in order; the first that accepts decides (contract 2, §5). Who shows nothing at all is anonymous when that is
 * allowed; who shows credentials that nobody accepts is refused. Undefined is a refusal.
 */
export function createAuthenticator(
  mechanisms: readonly Authenticator[],
  anonymousAllowed: boolean,
): (credentials: Credentials) => Promise<UserInfo | undefined> | UserInfo | undefined {
  return (credentials) => {
    if (bearerToken(credentials.authorization) === undefined && credentials.clientCertificate === undefined) {
      return anonymousAllowed ? anonymousUser : undefined;
    }
    return ask(mechanisms, anonymousAllowed, credentials);
  };
}

async function ask(
  mechanisms: readonly Authenticator[],
  anonymousAllowed: boolean,
  credentials: Credentials,
): Promise<UserInfo | undefined> {
  let rejected = false;
  for (const mechanism of mechanisms) {
    const result = await mechanism.authenticate(credentials);
    if (result.kind === "authenticated") return result.user;
    if (result.kind === "rejected") rejected = true;
  }
  const wrongToken = bearerToken(credentials.authorization) !== undefined;
  return anonymousAllowed && !rejected && !wrongToken ? anonymousUser : undefined;
}
