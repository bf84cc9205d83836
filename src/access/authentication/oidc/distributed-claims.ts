import { isJsonObject, type JsonObject } from "../../../apimachinery/json/json-value.js";
import { unverifiedClaims } from "../unverified-claims.js";
import type { HttpsReader } from "./https-reader.js";
import { issuerOf } from "./id-token.js";
import type { Provider } from "./provider.js";

export interface DistributedClaimsSettings {
  /** The only claim that may be distributed: the groups. */
  readonly claim: string;
  readonly reader: HttpsReader;
  /** Creates and starts the provider of an issuer. */
  readonly providerOf: (issuer: string) => Provider;
  readonly signal: AbortSignal;
}

/** Each costs a discovery document and a key set. */
const issuersMax = 16;

/**
 * Fetches a claim for which the ID token only names a source, another issuer's token (OpenID Connect Core 1.0 §5.6.2). Providers do so
 * for long lists of groups.
 */
export class DistributedClaims {
  readonly #settings: DistributedClaimsSettings;
  readonly #providers = new Map<string, Promise<Provider>>();

  constructor(settings: DistributedClaimsSettings) {
    this.#settings = settings;
  }

  /** The claims with the distributed one added. Rejects with an `Error` when it cannot be fetched. */
  async expand(claims: JsonObject): Promise<JsonObject> {
    const { claim } = this.#settings;
    if (Object.hasOwn(claims, claim)) return claims;
    const { _claim_names: names, _claim_sources: sources } = claims;
    if (!isJsonObject(names) || !isJsonObject(sources)) return claims;
    const source = Object.hasOwn(names, claim) ? names[claim] : undefined;
    if (typeof source !== "string") return claims;
    const place = Object.hasOwn(sources, source) ? sources[source] : undefined;
    if (!isJsonObject(place)) {
      throw new Error(`oidc: id token _claim_names contained a source ${source} missing in _claims_sources`);
    }
    // Aggregated claims, inside the token itself, are not supported; Kubernetes ignores them too.
    if (typeof place.endpoint !== "string" || place.endpoint === "") return claims;
    return { ...claims, [claim]: (await this.#fetch(place.endpoint, place.access_token))[claim] ?? null };
  }

  async #fetch(endpoint: string, accessToken: unknown): Promise<JsonObject> {
    const { reader, signal, claim } = this.#settings;
    if (!URL.canParse(endpoint)) throw new Error("oidc: the endpoint of a distributed claim is not a URL");
    const headers =
      typeof accessToken === "string" && accessToken !== "" ? { Authorization: `Bearer ${accessToken}` } : {};
    const token = (await reader.read(new URL(endpoint), headers, signal)).trim();
    const issuer = issuerOf(unverifiedClaims(token));
    if (issuer === undefined || !URL.canParse(issuer)) {
      throw new Error("oidc: the token of a distributed claim names no issuer");
    }
    const fetched = await (await this.#providerOf(issuer)).verify(token);
    if (!Object.hasOwn(fetched, claim)) throw new Error(`oidc: could not find distributed claim ${claim}`);
    return fetched;
  }

  #providerOf(issuer: string): Promise<Provider> {
    let provider = this.#providers.get(issuer);
    if (provider === undefined) {
      if (this.#providers.size >= issuersMax) throw new Error("oidc: too many issuers of distributed claims");
      const made = this.#settings.providerOf(issuer);
      provider = made.start().then(() => made);
      this.#providers.set(issuer, provider);
    }
    return provider;
  }

  async stop(): Promise<void> {
    for (const provider of await Promise.all(this.#providers.values())) provider.stop();
  }
}
