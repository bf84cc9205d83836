import { createHash } from "node:crypto";
import { type AuthenticationResult, rejected } from "./authenticator.js";
import { userSize } from "./user-size.js";

interface Entry {
  readonly result: AuthenticationResult;
  /** In characters. */
  readonly size: number;
  readonly until: number;
}

export interface TokenVerdictsOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly entriesMax?: number | undefined;
  readonly observer?: TokenCacheObserver | undefined;
}

export interface TokenCacheObserver {
  requested(status: "hit" | "miss", ms: number): void;
  /** Called before a verdict is fetched. Call the returned function with the outcome. */
  fetching(): (isOk: boolean) => void;
}

const entriesMaxDefault = 8192;
/** Limit of cached users, in characters. */
const sizeMax = 32 * 1024 * 1024;
/** Size limit for one cached user, because a webhook chooses it and every later step of each request handles it. */
const userCharactersMax = 512 * 1024;
const userValuesMax = 10_000;
/** Limit of concurrent calls to an authenticator, which may be slow or unreachable. */
const askingMax = 2048;

/** Caches the results of token authentication, by the tokens' digests (`digestOf`). Concurrent requests with one token share one call. */
export class TokenVerdicts {
  readonly #options: TokenVerdictsOptions;
  readonly #entries = new Map<string, Entry>();
  #size = 0;
  readonly #asking = new Map<string, Promise<AuthenticationResult>>();
  #lastAudiences: readonly string[] = [];
  #lastAudiencesKey = "";

  constructor(options: TokenVerdictsOptions) {
    this.#options = options;
  }

  /**
   * The cached result, or that of `ask`, which is then cached for its `lifetimeMs`; 0 caches nothing. Several requests may share a call
   * of `ask`, so none may abort it.
   */
  find(
    digest: string,
    audiences: readonly string[],
    ask: () => Promise<AuthenticationResult>,
    lifetimeMs: (result: AuthenticationResult) => number,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const { observer } = this.#options;
    const startedAt = performance.now();
    const key = this.#keyOf(digest, audiences);
    const known = this.#entries.get(key);
    if (known !== undefined) {
      if (this.#options.now() < known.until) {
        observer?.requested("hit", performance.now() - startedAt);
        return known.result;
      }
      this.#remove(key, known);
    }
    const asking = this.#asking.get(key);
    if (asking !== undefined) return observed(asking, observer, startedAt);
    if (this.#asking.size >= askingMax) return rejected("too many tokens are being verified");
    const fetched = observer?.fetching();
    const answer = ask()
      .then(
        (answered) => {
          const result = withinBounds(answered);
          fetched?.(result.kind !== "rejected");
          this.#keep(key, result, lifetimeMs(result));
          return result;
        },
        (error: unknown) => {
          fetched?.(false);
          throw error;
        },
      )
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, answer);
    return observed(answer, observer, startedAt);
  }

  #keyOf(digest: string, audiences: readonly string[]): string {
    if (audiences.length === 0) return digest;
    // Nearly always the API's own audiences, in the same array.
    if (audiences !== this.#lastAudiences) {
      this.#lastAudiences = audiences;
      const hash = createHash("sha256");
      for (const audience of audiences) hash.update("\0").update(audience);
      this.#lastAudiencesKey = hash.digest("base64");
    }
    return `${digest} ${this.#lastAudiencesKey}`;
  }

  #keep(key: string, result: AuthenticationResult, lifetimeMs: number): void {
    if (lifetimeMs <= 0) return;
    const size = result.kind === "authenticated" ? userSize(result.user).characters : 0;
    const max = this.#options.entriesMax ?? entriesMaxDefault;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size < max && this.#size + size <= sizeMax) break;
      this.#remove(oldest, entry);
    }
    this.#entries.set(key, { result, size, until: this.#options.now() + lifetimeMs });
    this.#size += size;
  }

  #remove(key: string, { size }: Entry): void {
    this.#entries.delete(key);
    this.#size -= size;
  }
}

function withinBounds(result: AuthenticationResult): AuthenticationResult {
  if (result.kind !== "authenticated") return result;
  const { characters, values } = userSize(result.user);
  if (characters <= userCharactersMax && values <= userValuesMax) return result;
  return rejected(
    `the user has ${characters} characters in ${values} values, more than ${userCharactersMax} in ${userValuesMax}`,
  );
}

function observed<R>(
  answer: Promise<R>,
  observer: TokenCacheObserver | undefined,
  startedAt: number,
): Promise<R> {
  return observer === undefined
    ? answer
    : answer.finally(() => observer.requested("miss", performance.now() - startedAt));
}
