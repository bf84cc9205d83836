import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { tokenDigest } from "./token-digest.js";
import type { TokenAlgorithm, TokenKey } from "./token-keys.js";

/** Cache of tokens with verified signatures; each takes about a kilobyte. */
const verifiedTokensMax = 4096;

export interface VerifiedToken {
  readonly claims: JsonObject;
  /** Created when the token is first accepted. The same object for all its requests, because caches identify the user by it. */
  user: UserInfo | undefined;
}

/** Verifies the signature of each valid token once while it is cached, by its digest. */
export class VerifiedTokens {
  readonly #tokens = new Map<string, VerifiedToken>();

  find(digest: string): VerifiedToken | undefined {
    return this.#tokens.get(digest);
  }

  add(token: string, claims: JsonObject): VerifiedToken {
    const verified: VerifiedToken = { claims, user: undefined };
    if (this.#tokens.size >= verifiedTokensMax) {
      const [oldest] = this.#tokens.keys();
      if (oldest !== undefined) this.#tokens.delete(oldest);
    }
    this.#tokens.set(tokenDigest(token), verified);
    return verified;
  }
}

export async function isSignedByOneOf(keys: readonly TokenKey[], token: string): Promise<boolean> {
  const { compactVerify } = await import("jose");
  for (const key of keys) {
    try {
      await compactVerify(token, key.publicKey, { algorithms: acceptedAlgorithms(key.algorithm) });
      return true;
    } catch {
      // The next key may have signed it.
    }
  }
  return false;
}

function acceptedAlgorithms(algorithm: TokenAlgorithm): string[] {
  return algorithm === "RS256" ? ["RS256", "RS384", "RS512"] : [algorithm];
}
