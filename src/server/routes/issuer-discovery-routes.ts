import type { TokenKey, TokenKeys } from "../../access/authentication/token-keys.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { Route } from "../../serving/routing/router.js";
import { checkAccept } from "./check-accept.js";

export interface IssuerDiscoveryParts {
  readonly issuer: string;
  readonly keys: TokenKeys;
  /** `--service-account-jwks-uri`; this server's own when undefined. */
  readonly jwksUri: string | undefined;
  /** `host:port` at which others reach this server. */
  readonly serverAddress: () => string;
  readonly level: ApiLevel;
}

const keySetPath = "/openid/v1/jwks";

/**
 * What relying parties need to verify service account tokens (OpenID Connect Discovery 1.0). Not served for an issuer that is not an
 * https URL, to which discovery does not apply.
 */
export function issuerDiscoveryRoutes(parts: IssuerDiscoveryParts): Route[] {
  const { issuer, keys, jwksUri, serverAddress, level } = parts;
  if (keys.published.length === 0 || !URL.canParse(issuer) || new URL(issuer).protocol !== "https:")
    return [];
  const metadata = (published: readonly TokenKey[]): JsonObject => ({
    issuer,
    jwks_uri: jwksUri ?? `https://${serverAddress()}${keySetPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(published.map(({ algorithm }) => algorithm))].sort(),
  });
  const keySet = (published: readonly TokenKey[]): object => ({ keys: published.map(publicJwk) });
  return [
    route("/.well-known/openid-configuration", {
      keys,
      level,
      contentType: "application/json",
      document: metadata,
    }),
    route(keySetPath, { keys, level, contentType: "application/jwk-set+json", document: keySet }),
  ];
}

function route(
  path: string,
  of: {
    readonly keys: TokenKeys;
    readonly level: ApiLevel;
    readonly contentType: string;
    readonly document: (published: readonly TokenKey[]) => object;
  },
): Route {
  const { keys, level, contentType, document } = of;
  let printed: { readonly of: readonly TokenKey[]; readonly body: string } | undefined;
  return {
    path,
    listed: true,
    readOnly: true,
    handle: async ({ exchange }) => {
      checkAccept(exchange.headers.accept, contentType, level);
      const { published, freshSeconds } = keys;
      // If an external signer hides all its keys, the previous ones stay published.
      if (printed === undefined || (printed.of !== published && published.length > 0)) {
        printed = { of: published, body: JSON.stringify(document(published)) };
      }
      const headers = { "Content-Type": contentType, "Cache-Control": `public, max-age=${freshSeconds}` };
      exchange.respond(200, headers, printed.body);
    },
  };
}

function publicJwk({ keyId, algorithm, publicKey }: TokenKey): object {
  const { kty, ...numbers } = publicKey.export({ format: "jwk" });
  return { use: "sig", kty, kid: keyId, alg: algorithm, ...numbers };
}
