import {
  type Authenticated,
  type AuthenticationResult,
  type Authenticator,
  bearerToken,
  type CredentialNote,
  noCredentials,
  rejected,
  type TokenMechanism,
} from "./authenticator.js";
import { firstAnswer } from "./first-answer.js";
import type { LastDigest } from "./token-digest.js";

export type TokenJudgement =
  | (Authenticated & {
      /** The requested audiences that the token is meant for; empty when audiences play no role. */
      readonly audiences: readonly string[];
    })
  | {
      readonly kind: "refused";
      readonly error: string;
      readonly notes?: readonly CredentialNote[] | undefined;
    };

/** Identifies the user of a token. `audiences` are those it must be meant for; none means the API's own. */
export type TokenAuthenticator = (
  token: string,
  audiences: readonly string[] | undefined,
  lastDigest?: LastDigest | undefined,
) => Promise<TokenJudgement> | TokenJudgement;

/**
 * Asks the mechanisms in order; the first that accepts decides. Tokens of a mechanism without audiences are only valid for the API's own
 * audiences.
 */
export function createTokenAuthenticator(
  mechanisms: readonly TokenMechanism[],
  apiAudiences: readonly string[],
): TokenAuthenticator {
  return (token, asked, lastDigest) => {
    const audiences = asked === undefined || asked.length === 0 ? apiAudiences : asked;
    let reasons: Set<string> | undefined;
    let notes: readonly CredentialNote[] | undefined;
    const question = { audiences, lastDigest };
    return firstAnswer(
      mechanisms,
      (mechanism) => mechanism.authenticate(token, question),
      (result: AuthenticationResult): TokenJudgement | undefined => {
        if (result.kind === "rejected") {
          reasons ??= new Set([invalidToken]);
          reasons.add(result.reason);
          notes ??= result.notes;
        }
        if (result.kind !== "authenticated") return undefined;
        const meantFor = result.audiences ?? apiAudiences.filter((each) => audiences.includes(each));
        if (meantFor.length === 0 && audiences.length > 0) return undefined;
        return { kind: "authenticated", user: result.user, audiences: meantFor, notes: result.notes };
      },
      () => ({ kind: "refused", error: aggregate([...(reasons ?? [invalidToken])]), notes }),
    );
  };
}

const invalidToken = "invalid bearer token";

/** Authenticates bearer tokens of requests, which must be meant for the API. */
export function createBearerTokenAuthenticator(authenticate: TokenAuthenticator): Authenticator {
  const toResult = (judgement: TokenJudgement): AuthenticationResult =>
    judgement.kind === "refused" ? rejected(judgement.error, judgement.notes) : judgement;
  return {
    authenticate(credentials) {
      const token = bearerToken(credentials.authorization);
      if (token === undefined) {
        const { tokenProblem } = credentials;
        return tokenProblem === undefined ? noCredentials : rejected(tokenProblem);
      }
      const judgement = authenticate(token, undefined, credentials.lastDigest);
      return judgement instanceof Promise ? judgement.then(toResult) : toResult(judgement);
    },
  };
}

/** Joins several errors as Kubernetes does. */
function aggregate(reasons: readonly string[]): string {
  const [only = "", ...others] = reasons;
  return others.length === 0 ? only : `[${reasons.join(", ")}]`;
}
