import type { UserInfo } from "../../apimachinery/request-info.js";
import type { Authenticator } from "./authenticator.js";

export type TokenJudgement =
  | {
      readonly kind: "authenticated";
      readonly user: UserInfo;
      /** Those of the asked ones that the token is meant for; empty when audiences play no part. */
      readonly audiences: readonly string[];
    }
  | { readonly kind: "refused"; readonly error: string | undefined };

/** Says whose a token is. `audiences` are those the asker wants it to be meant for; undefined are the API's own. */
export type TokenAuthenticator = (
  token: string,
  audiences: readonly string[] | undefined,
) => Promise<TokenJudgement>;

/**
 * Asks the mechanisms about a token alone. One that knows of no audiences answers for the API's own: its users are never meant
 * for anybody else.
 */
export function createTokenAuthenticator(
  mechanisms: readonly Authenticator[],
  apiAudiences: readonly string[],
): TokenAuthenticator {
  return async (token, asked) => {
    const audiences = asked === undefined || asked.length === 0 ? apiAudiences : asked;
    const reasons = new Set(["invalid bearer token"]);
    for (const mechanism of mechanisms) {
      const result = await mechanism.authenticate({
        authorization: `Bearer ${token}`,
        clientCertificate: undefined,
        audiences,
      });
      if (result.kind === "rejected") reasons.add(result.reason);
      if (result.kind !== "authenticated") continue;
      const meantFor = result.audiences ?? apiAudiences.filter((each) => audiences.includes(each));
      if (meantFor.length === 0 && audiences.length > 0) continue;
      return { kind: "authenticated", user: result.user, audiences: meantFor };
    }
    const texts = [...reasons];
    return { kind: "refused", error: texts.length === 1 ? texts[0] : `[${texts.join(", ")}]` };
  };
}
