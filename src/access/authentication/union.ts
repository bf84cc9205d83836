import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { AuthenticationResult, Authenticator, CredentialNote, Credentials } from "./authenticator.js";
import { firstAnswer } from "./first-answer.js";

export type Identification =
  | { readonly kind: "user"; readonly user: UserInfo; readonly notes?: readonly CredentialNote[] | undefined }
  /** The reasons are for the log, not for the client. Empty when there were no credentials at all. */
  | {
      readonly kind: "refused";
      readonly reasons: readonly string[];
      readonly notes?: readonly CredentialNote[] | undefined;
    };

/** Identifies the sender of a request. */
export type RequestAuthenticator = (credentials: Credentials) => Promise<Identification> | Identification;

/** Asks the mechanisms in order; the first that accepts decides. */
export function createAuthenticator(mechanisms: readonly Authenticator[]): RequestAuthenticator {
  return (credentials) => {
    let reasons: string[] | undefined;
    let notes: readonly CredentialNote[] | undefined;
    return firstAnswer(
      mechanisms,
      (mechanism) => mechanism.authenticate(credentials),
      (result: AuthenticationResult): Identification | undefined => {
        if (result.kind === "authenticated") {
          return { kind: "user", user: result.user, notes: result.notes };
        }
        if (result.kind === "rejected") {
          reasons ??= [];
          reasons.push(result.reason);
          notes ??= result.notes;
        }
        return undefined;
      },
      () => ({ kind: "refused", reasons: reasons ?? [], notes }),
    );
  };
}
