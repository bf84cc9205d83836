import { claimsToJson, type ServiceAccountClaims } from "./service-account-claims.js";
import type { TokenSigningKey } from "./token-keys.js";

/** Signs what it is told; `issuer` is set by it. */
export interface ServiceAccountTokenIssuer {
  sign(claims: Omit<ServiceAccountClaims, "issuer">): Promise<string>;
}

export function createTokenIssuer(settings: {
  readonly issuer: string;
  readonly key: TokenSigningKey;
  readonly domain: string;
}): ServiceAccountTokenIssuer {
  const { issuer, key, domain } = settings;
  return {
    async sign(claims) {
      const { CompactSign } = await import("jose");
      const payload = JSON.stringify(claimsToJson({ ...claims, issuer }, domain));
      return await new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: key.algorithm, kid: key.keyId })
        .sign(key.privateKey);
    },
  };
}
