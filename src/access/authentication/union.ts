import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { AuthenticationResult, Authenticator, CredentialNote, Credentials } from "./authenticator.js";
import { firstAnswer } from "./first-answer.js";

export type Identification =
  | { readonly kind: "user"; readonly user: UserInfo; readonly note?: CredentialNote | undefined }
  /** The reasons are for the log, not for the client. Empty when there were no credentials at all. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/** Identifies the sender of a request. */
export type RequestAuthenticator = (credentials: Credentials) => Promise<Identification> | Identification;

/** Asks the mechanisms in order; the first that accepts decides. */
export function createAuthenticator(mechanisms: readonly Authenticator[]): RequestAuthenticator {
  return (credentials) => {
    let reasons: string[] | undefined;
    return firstAnswer(
      mechanisms,
      (mechanism) => mechanism.authenticate(credentials),
      (result: AuthenticationResult): Identification | undefined => {
        if (result.kind === "authenticated") {
          return { kind: "user", user: result.user, note: result.note };
        }
        if (result.kind === "rejected") {
          reasons ??= [];
          reasons.push(result.reason);
        }
        return undefined;
      },
      () => ({ kind: "refused", reasons: reasons ?? [] }),
    );
  };
}
