import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { TokenReview } from "../../apis/gen/authentication-v1.js";
import type { SentReview } from "../../remote/webhook.js";
import {
  type AuthenticationResult,
  authenticated,
  digestOf,
  noCredentials,
  rejected,
  type TokenMechanism,
} from "./authenticator.js";
import { type TokenCacheObserver, TokenVerdicts } from "./token-verdicts.js";

export interface TokenWebhookSettings {
  /** Sends a TokenReview and resolves with the answer. */
  readonly post: (review: SentReview) => Promise<Pick<TokenReview, "status">>;
  /** API version of TokenReview: `authentication.example.io/v1`. */
  readonly apiVersion: string;
  /** Audiences assumed for a service that ignores audiences. */
  readonly apiAudiences: readonly string[];
  /** How long answers are cached, good and bad; failures are not. */
  readonly cacheTtlMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer?: TokenCacheObserver | undefined;
}

/**
 * `--authentication-token-webhook-config-file`: a remote service verifies tokens. Source: Kubernetes documentation, "Webhook Token
 * Authentication".
 */
export function createTokenWebhookMechanism(settings: TokenWebhookSettings): TokenMechanism {
  const verdicts = new TokenVerdicts({ now: settings.now, observer: settings.observer });
  const failures = new WeakSet<AuthenticationResult>();
  return {
    authenticate: (token, { audiences, lastDigest }) =>
      verdicts.find(
        digestOf(token, { lastDigest }),
        audiences,
        async () => {
          try {
            return await ask(settings, token, audiences);
          } catch (error) {
            const text = messageOf(error);
            const failure = rejected(withoutToken(text, token));
            failures.add(failure);
            return failure;
          }
        },
        (result) => (failures.has(result) ? 0 : settings.cacheTtlMs),
      ),
  };
}

async function ask(
  { post, apiVersion, apiAudiences }: TokenWebhookSettings,
  token: string,
  audiences: readonly string[],
): Promise<AuthenticationResult> {
  const { status } = await post({
    kind: "TokenReview",
    apiVersion,
    metadata: { creationTimestamp: null },
    spec: { token, ...(audiences.length > 0 && { audiences: [...audiences] }) },
    status: { user: {} },
  });
  const { audiences: named = [], error = "", user } = status;
  const meantFor = audiences.filter((each) => (named.length > 0 ? named : apiAudiences).includes(each));
  if (audiences.length > 0 && meantFor.length === 0) return noCredentials;
  if (status.authenticated !== true) {
    // An error is not a verdict, so it is not cached.
    if (error !== "") throw new Error(error);
    return noCredentials;
  }
  const { username: name = "", uid = "", groups = [], extra = {} } = user;
  const result = authenticated({ name, uid, groups, extra });
  return { ...result, audiences: meantFor };
}

/** The service's message might repeat the token. */
function withoutToken(text: string, token: string): string {
  return text.replaceAll(token, "<token>");
}
