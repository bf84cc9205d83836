import type { UserInfo } from "../../apimachinery/request-info.js";
import {
  type AuthenticationResult,
  type Authenticator,
  anonymousUser,
  type Credentials,
} from "./authenticator.js";
import { firstAnswer } from "./first-answer.js";

export type Identification =
  | { readonly kind: "user"; readonly user: UserInfo }
  /** The reasons are for the log: the client is not told. Empty when there were no credentials at all. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/** Finds out who sent a request. */
export type RequestAuthenticator = (credentials: Credentials) => Promise<Identification> | Identification;

/**
 * Asks the mechanisms in order; the first that accepts decides. A request that none of them knows credentials in is anonymous, when
 * that is allowed; one with credentials that are wrong is refused.
 */
export function createAuthenticator(
  mechanisms: readonly Authenticator[],
  anonymousAllowed: boolean,
): RequestAuthenticator {
  const anonymous: Identification = { kind: "user", user: anonymousUser };
  return (credentials) => {
    let reasons: string[] | undefined;
    return firstAnswer(
      mechanisms,
      (mechanism) => mechanism.authenticate(credentials),
      (result: AuthenticationResult): Identification | undefined => {
        if (result.kind === "authenticated") return { kind: "user", user: result.user };
        if (result.kind === "rejected") {
          reasons ??= [];
          reasons.push(result.reason);
        }
        return undefined;
      },
      () =>
        anonymousAllowed && reasons === undefined ? anonymous : { kind: "refused", reasons: reasons ?? [] },
    );
  };
}
