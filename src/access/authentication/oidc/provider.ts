import { messageOf } from "../../../apimachinery/errors/message-of.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { claimsOf } from "../unverified-claims.js";
import type { HttpsReader } from "./https-reader.js";
import { idTokenProblem } from "./id-token.js";
import { RemoteKeys } from "./remote-keys.js";

export interface ProviderSettings {
  readonly issuer: string;
  /** Undefined: at its usual place below the issuer. */
  readonly discoveryUrl?: string | undefined;
  readonly audiences: readonly string[];
  /** Signature algorithms: `RS256`, … */
  readonly algorithms: readonly string[];
  readonly reader: HttpsReader;
  readonly now: () => Date;
  /** Called with the reason why the provider cannot be used yet. */
  readonly onProblem: (problem: string) => void;
  readonly retryMs?: number | undefined;
  /** Called after each attempt to fetch the keys, with the key set; undefined when none was fetched. */
  readonly observeKeys?: ((keySet: Uint8Array | undefined) => void) | undefined;
}

const retryMsDefault = 10_000;

/**
 * An OpenID Connect provider, found by its discovery document (OpenID Connect Discovery 1.0). It may be unavailable at first:
 * discovery is retried every ten seconds until it succeeds.
 */
export class Provider {
  readonly #settings: ProviderSettings;
  readonly #stopping = new AbortController();
  #keys: RemoteKeys | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /** Resolves after the first attempt; retries continue in the background. */
  async start(): Promise<void> {
    try {
      await this.#discover();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#settings.onProblem(messageOf(error));
      this.#timer = setTimeout(() => void this.start(), this.#settings.retryMs ?? retryMsDefault);
      this.#timer.unref();
    }
  }

  get isReady(): boolean {
    return this.#keys !== undefined;
  }

  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  /** The claims of a valid ID token. Rejects with an `Error` that says what is wrong and never holds the token. */
  async verify(token: string): Promise<JsonObject> {
    if (this.#keys === undefined) throw new Error("oidc: authenticator not initialized");
    const { algorithms, now } = this.#settings;
    const claims = claimsOf(await this.#keys.verify(token, algorithms));
    if (claims === undefined) throw new Error("oidc: failed to unmarshal claims");
    const problem = idTokenProblem(claims, this.#settings, now());
    if (problem !== undefined) throw new Error(problem);
    return claims;
  }

  async #discover(): Promise<void> {
    const { issuer, discoveryUrl, reader } = this.#settings;
    const { signal } = this.#stopping;
    const usual = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const address = new URL(discoveryUrl ?? usual);
    const document = await reader.readJson(address, signal);
    if (document.issuer !== issuer) {
      const got = JSON.stringify(document.issuer ?? "");
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuer)} got ${got}`,
      );
    }
    const keysAddress = document.jwks_uri;
    if (typeof keysAddress !== "string" || !URL.canParse(keysAddress)) {
      throw new Error(`oidc: ${address}: no jwks_uri`);
    }
    this.#keys = new RemoteKeys({
      read: () => this.#readKeys(new URL(keysAddress)),
      now: () => performance.now(),
    });
  }

  async #readKeys(address: URL): Promise<JsonObject> {
    const { reader, observeKeys } = this.#settings;
    const { signal } = this.#stopping;
    try {
      const { value, bytes } = await reader.readDocument(address, signal);
      observeKeys?.(bytes);
      return value;
    } catch (error) {
      if (!signal.aborted) observeKeys?.(undefined);
      throw error;
    }
  }
}
