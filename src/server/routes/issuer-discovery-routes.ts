import type { TokenKey } from "../../access/authentication/token-keys.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";

export interface IssuerDiscoveryParts {
  readonly issuer: string;
  readonly keys: readonly TokenKey[];
  /** `--service-account-jwks-uri`; this server's own when undefined. */
  readonly jwksUri: string | undefined;
  /** `host:port` at which others reach this server. */
  readonly serverAddress: () => string;
}

const keySetPath = "/openid/v1/jwks";
const cacheControl = "public, max-age=3600";

/**
 * What relying parties need to verify service account tokens (OpenID Connect Discovery 1.0). Not served for an issuer that is not an
 * https URL, to which discovery does not apply.
 */
export function issuerDiscoveryRoutes(parts: IssuerDiscoveryParts): Route[] {
  const { issuer, keys, jwksUri, serverAddress } = parts;
  if (keys.length === 0 || !URL.canParse(issuer) || new URL(issuer).protocol !== "https:") return [];
  const metadata = (): JsonObject => ({
    issuer,
    jwks_uri: jwksUri ?? `https://${serverAddress()}${keySetPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
  });
  const keySet = (): object => ({ keys: keys.map(publicJwk) });
  return [
    route("/.well-known/openid-configuration", "application/json", metadata),
    route(keySetPath, "application/jwk-set+json", keySet),
  ];
}

function route(path: string, contentType: string, document: () => object): Route {
  let body: string | undefined;
  return {
    path,
    listed: true,
    readOnly: true,
    handle: async ({ exchange }) => {
      body ??= JSON.stringify(document());
      exchange.respond(200, { "Content-Type": contentType, "Cache-Control": cacheControl }, body);
    },
  };
}

function publicJwk({ keyId, algorithm, publicKey }: TokenKey): object {
  const { kty, ...numbers } = publicKey.export({ format: "jwk" });
  return { use: "sig", kty, kid: keyId, alg: algorithm, ...numbers };
}
