import type { JsonObject } from "../../apimachinery/json/json-value.js";
import {
  accountUserName,
  claimsToJson,
  type ObjectRef,
  type ServiceAccountClaims,
} from "./service-account-claims.js";
import type { TokenSigningKey } from "./token-keys.js";

/** Signs the given claims; adds `issuer`. */
export interface ServiceAccountTokenIssuer {
  sign(claims: Omit<ServiceAccountClaims, "issuer">): Promise<string>;
  /** A token for a secret, valid as long as the secret exists. */
  signForSecret(content: SecretTokenClaims): Promise<string>;
}

export interface SecretTokenClaims {
  readonly namespace: string;
  readonly account: ObjectRef;
  readonly secretName: string;
}

/** A token with the claims. */
export type ClaimsSigner = (claims: JsonObject) => Promise<string>;

export function keySigner(key: TokenSigningKey): ClaimsSigner {
  return async (claims) => {
    const { CompactSign } = await import("jose");
    return await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: key.algorithm, kid: key.keyId })
      .sign(key.privateKey);
  };
}

export function createTokenIssuer(settings: {
  readonly issuer: string;
  /** Issuer of tokens in secrets. */
  readonly legacyIssuer: string;
  readonly sign: ClaimsSigner;
  readonly domain: string;
}): ServiceAccountTokenIssuer {
  const { issuer, legacyIssuer, sign, domain } = settings;
  return {
    sign: (claims) => sign(claimsToJson({ ...claims, issuer }, domain)),
    signForSecret: ({ namespace, account, secretName }) =>
      sign({
        iss: legacyIssuer,
        [`${domain}/serviceaccount/namespace`]: namespace,
        [`${domain}/serviceaccount/secret.name`]: secretName,
        [`${domain}/serviceaccount/service-account.name`]: account.name,
        [`${domain}/serviceaccount/service-account.uid`]: account.uid,
        sub: accountUserName(namespace, account.name),
      }),
  };
}
