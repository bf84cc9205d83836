import type { TokenKeys } from "./token-keys.js";
import type { TokenCacheObserver } from "./token-verdicts.js";

/** An object that a token depends on. */
export interface LookedUpObject {
  readonly uid: string;
  readonly deletedAt: Date | undefined;
}

export interface LookedUpAccount extends LookedUpObject {
  /** Names of the secrets that controllers made for it. */
  readonly secrets: ReadonlySet<string>;
}

export interface LookedUpSecret extends LookedUpObject {
  readonly labels: Readonly<Record<string, string>>;
  /** The token that the secret was made for; undefined when it holds none. */
  readonly token: Uint8Array | undefined;
}

/** Reads the objects that tokens are bound to; undefined when one does not exist. */
export interface TokenObjectLookup {
  serviceAccount(namespace: string, name: string): Promise<LookedUpAccount | undefined>;
  pod(namespace: string, name: string): Promise<LookedUpObject | undefined>;
  secret(namespace: string, name: string): Promise<LookedUpSecret | undefined>;
  node(name: string): Promise<LookedUpObject | undefined>;
}

export interface ServiceAccountTokenSettings {
  /** Tokens of other issuers are not handled here. */
  readonly issuers: readonly string[];
  /** Issuer of tokens that controllers keep in secrets. */
  readonly legacyIssuer: string;
  readonly keys: TokenKeys;
  /** Audiences to check when a request names none. Empty accepts any. */
  readonly apiAudiences: readonly string[];
  /** Name of the private claim. */
  readonly domain: string;
  /** Prefix of the extra fields that a pod's token carries about the pod. */
  readonly extraPrefix: string;
  /** Prefix of the annotations of audit events. */
  readonly annotationPrefix: string;
  /** `--service-account-lookup`: a token from a secret must still be in it. Bound tokens are always looked up. */
  readonly lookupLegacy: boolean;
  readonly lookup: TokenObjectLookup;
  /** Which newer claims are evaluated, by feature gates. Default: none. */
  readonly reads?: ReadClaims | undefined;
  /** Undefined where the uses of secrets are not tracked. */
  readonly tracking?: SecretTokenTracking | undefined;
  readonly now: () => Date;
  /** Called with each use of a token that operators may want to renew. */
  readonly used: (use: TokenUse) => void;
  /** Observes the cache of verified signatures. */
  readonly cacheObserver?: TokenCacheObserver | undefined;
}

export interface ReadClaims {
  /** The token's id becomes that of the user's credential. */
  readonly ids: boolean;
  /** The user's extra fields name the node of the token's pod. */
  readonly nodesOfPods: boolean;
  /** Whether a token bound to a node becomes invalid with it. */
  readonly boundNodes: boolean;
}

/**
 * `legacy`: a token from a secret, which never expires. Of tokens that live longer than their clients expect: `valid` before the time to
 * renew them, `stale` after it.
 */
export type TokenUse = "legacy" | "valid" | "stale";

export function isGone(object: LookedUpObject, deadline: number): boolean {
  return object.deletedAt !== undefined && object.deletedAt.getTime() < deadline;
}

/** Tracks which tokens in secrets are still used. */
export interface SecretTokenTracking {
  /** Label of secrets with the date of the last use. */
  readonly lastUsedLabel: string;
  /** Label of secrets whose tokens are no longer accepted; undefined when none is set. */
  readonly invalidSinceLabel: string | undefined;
  /** Labels the secret with the date; its request does not wait for it. */
  label(
    secret: { readonly namespace: string; readonly name: string; readonly uid: string },
    date: string,
  ): void;
  used(use: "auto" | "manual" | "invalid"): void;
}
