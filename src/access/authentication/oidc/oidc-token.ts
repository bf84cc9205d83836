import { messageOf } from "../../../apimachinery/errors/message-of.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import type { Dial } from "../../../remote/remote-client.js";
import {
  type AuthenticationResult,
  authenticated,
  digestOf,
  noCredentials,
  rejected,
  type TokenMechanism,
  type TokenQuestion,
} from "../authenticator.js";
import { type TokenCacheObserver, TokenVerdicts } from "../token-verdicts.js";
import { unverifiedClaims } from "../unverified-claims.js";
import { DistributedClaims } from "./distributed-claims.js";
import { HttpsReader } from "./https-reader.js";
import { issuerOf, timeOf } from "./id-token.js";
import { Provider } from "./provider.js";

export interface OidcSettings {
  readonly issuer: string;
  /** Address of the discovery document, if not at its usual place below the issuer. */
  readonly discoveryUrl?: string | undefined;
  /** Accepted audiences; a token must be meant for one of them. */
  readonly audiences: readonly string[];
  /** Throws an `Error` when the claims of a valid token describe no user. */
  readonly userOf: (claims: JsonObject) => UserInfo;
  /** The claim that another token may hold. */
  readonly distributedClaim?: string | undefined;
  readonly dial?: Dial | undefined;
  /** Receives each verification of a token, with its outcome. */
  readonly observe?: ((milliseconds: number, isOk: boolean) => void) | undefined;
  /** Called after each attempt to fetch the issuer's keys, with the key set; undefined when none was fetched. */
  readonly observeKeys?: ((keySet: Uint8Array | undefined) => void) | undefined;
  readonly algorithms: readonly string[];
  /** Authorities that may sign the provider's certificate, called each time; undefined means those of the host. */
  readonly caPem: () => string | undefined;
  readonly now: () => Date;
  readonly onProblem: (problem: string) => void;
  /** Pause between attempts to find the provider; default 10 s. */
  readonly retryMs?: number | undefined;
  readonly cacheObserver?: TokenCacheObserver | undefined;
}

/** How long a verified token is cached, as in Kubernetes. */
const verdictMs = 10_000;

/** `--oidc-*`: ID tokens of an OpenID Connect provider. Source: Kubernetes documentation, "OpenID Connect Tokens". */
export class OidcMechanism implements TokenMechanism {
  readonly #settings: OidcSettings;
  readonly #reader: HttpsReader;
  readonly #provider: Provider;
  readonly #distributed: DistributedClaims | undefined;
  readonly #verdicts: TokenVerdicts;
  /** When verified tokens expire, in milliseconds since the epoch. */
  readonly #ends = new WeakMap<AuthenticationResult, number>();
  readonly #stopping = new AbortController();

  constructor(settings: OidcSettings) {
    this.#settings = settings;
    this.#verdicts = new TokenVerdicts({ now: () => performance.now(), observer: settings.cacheObserver });
    this.#reader = new HttpsReader(settings.caPem, settings.dial);
    this.#provider = this.#providerOf(settings.issuer, settings.discoveryUrl);
    this.#distributed =
      settings.distributedClaim === undefined
        ? undefined
        : new DistributedClaims({
            claim: settings.distributedClaim,
            reader: this.#reader,
            providerOf: (issuer) => this.#providerOf(issuer),
            signal: this.#stopping.signal,
          });
  }

  /** Resolves after the first attempt to find the provider, which may fail: tokens are refused until it is found. */
  start(): Promise<void> {
    return this.#provider.start();
  }

  /** Whether the provider was found. */
  get isReady(): boolean {
    return this.#provider.isReady;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#provider.stop();
    await this.#distributed?.stop();
    await this.#reader.close();
  }

  authenticate(token: string, asked?: TokenQuestion): AuthenticationResult | Promise<AuthenticationResult> {
    // Tokens of other mechanisms are not sent to the provider.
    if (issuerOf(unverifiedClaims(token)) !== this.#settings.issuer) return noCredentials;
    return this.#verdicts.find(
      digestOf(token, asked),
      [],
      () => this.#observed(token),
      (result) => this.#lifetimeOf(result),
    );
  }

  async #observed(token: string): Promise<AuthenticationResult> {
    const startedAt = performance.now();
    const result = await this.#verify(token);
    this.#settings.observe?.(performance.now() - startedAt, result.kind === "authenticated");
    return result;
  }

  async #verify(token: string): Promise<AuthenticationResult> {
    if (!this.#provider.isReady) return rejected("oidc: authenticator not initialized");
    let claims: JsonObject;
    try {
      claims = await this.#provider.verify(token);
    } catch (error) {
      return rejected(`oidc: verify token: ${messageOf(error)}`);
    }
    try {
      if (this.#distributed !== undefined) claims = await this.#distributed.expand(claims);
      const result = authenticated(this.#settings.userOf(claims));
      this.#ends.set(result, timeOf(claims.exp)?.getTime() ?? 0);
      return result;
    } catch (error) {
      return rejected(messageOf(error));
    }
  }

  #lifetimeOf(result: AuthenticationResult): number {
    const end = this.#ends.get(result);
    return end === undefined ? 0 : Math.min(verdictMs, end - this.#settings.now().getTime());
  }

  #providerOf(issuer: string, discoveryUrl?: string): Provider {
    const { audiences, algorithms, now, onProblem, retryMs, observeKeys } = this.#settings;
    return new Provider({
      issuer,
      discoveryUrl,
      audiences,
      algorithms,
      reader: this.#reader,
      now,
      onProblem,
      retryMs,
      observeKeys: issuer === this.#settings.issuer ? observeKeys : undefined,
    });
  }
}
