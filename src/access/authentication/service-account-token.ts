import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { textOf } from "../../apimachinery/json/json-values.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import {
  type AuthenticationResult,
  authenticated,
  type CredentialNote,
  digestOf,
  noCredentials,
  rejected,
  type TokenMechanism,
} from "./authenticator.js";
import { isSameSecret } from "./same-secret.js";
import {
  accountGroups,
  accountUserName,
  audiencesOf,
  claimsFromJson,
  credentialIdOf,
  type ObjectRef,
  type ServiceAccountClaims,
} from "./service-account-claims.js";
import { tokenDigest } from "./token-digest.js";
import type { TokenAlgorithm, TokenKey, TokenKeys } from "./token-keys.js";
import type { TokenCacheObserver } from "./token-verdicts.js";
import { isSigned, unverifiedClaims, unverifiedKeyId } from "./unverified-claims.js";

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
  /** Names the private claim. */
  readonly domain: string;
  /** Prefix of the extra fields that a pod's token carries about the pod. */
  readonly extraPrefix: string;
  /** Prefix of the annotations of audit events. */
  readonly annotationPrefix: string;
  /** `--service-account-lookup`: a token out of a secret must still be in it. Bound tokens are always looked up. */
  readonly lookupLegacy: boolean;
  readonly lookup: TokenObjectLookup;
  /** What newer claims mean, as feature gates say; unless given, nothing. */
  readonly reads?: ReadClaims | undefined;
  /** Undefined where the uses of secrets are not tracked. */
  readonly tracking?: SecretTokenTracking | undefined;
  readonly now: () => Date;
  /** Called with each use of a token whose renewal matters to operators. */
  readonly used: (use: TokenUse) => void;
  /** Observes the cache of verified signatures. */
  readonly cacheObserver?: TokenCacheObserver | undefined;
}

export interface ReadClaims {
  /** The token's id becomes that of the user's credential. */
  readonly ids: boolean;
  /** The user's extra fields name the node of the token's pod. */
  readonly nodesOfPods: boolean;
  /** A token that is bound to a node ends with it. */
  readonly boundNodes: boolean;
}

/** How it is known which tokens in secrets are still used. */
export interface SecretTokenTracking {
  /** Label of secrets with the date of the last use. */
  readonly lastUsedLabel: string;
  /** Label of secrets whose tokens do not count any more; undefined where none is put. */
  readonly invalidSinceLabel: string | undefined;
  /** Labels the secret with the date; its request does not wait for it. */
  label(
    secret: { readonly namespace: string; readonly name: string; readonly uid: string },
    date: string,
  ): void;
  used(use: "auto" | "manual" | "invalid"): void;
}

/**
 * `legacy`: a token out of a secret, which never expires. Of tokens that live longer than their clients expect: `valid` before the time to
 * renew them, `stale` after it.
 */
export type TokenUse = "legacy" | "valid" | "stale";

/** Tolerance for clock differences; an object deleted more recently still counts. */
const leewayMs = 60_000;
const timeClaims = ["exp", "nbf", "iat"];
/** Cache of tokens with verified signatures; each takes about a kilobyte. */
const verifiedTokensMax = 4096;

/**
 * Tokens that this server, or another one with the same key, signed for service accounts. Source: Kubernetes' `pkg/serviceaccount`.
 */
export function createServiceAccountMechanism(settings: ServiceAccountTokenSettings): TokenMechanism {
  const { issuers, legacyIssuer, keys, cacheObserver: observer } = settings;
  let verified = new VerifiedTokens();
  let verifiedBy = keys.all;
  const known = new Set([...issuers, legacyIssuer]);
  const verify = async (
    token: string,
    claims: JsonObject,
    audiences: readonly string[],
  ): Promise<AuthenticationResult> => {
    const startedAt = performance.now();
    const fetched = observer?.fetching();
    const candidates = await keys.forToken(unverifiedKeyId(token));
    const isGenuine = await isSignedByOneOf(candidates, token);
    fetched?.(isGenuine);
    observer?.requested("miss", performance.now() - startedAt);
    if (!isGenuine) return rejected("invalid signature");
    const problem = malformedClaim(claims);
    if (problem !== undefined) return rejected(problem);
    return await judge(settings, verified.add(token, claims), token, audiences);
  };
  return {
    authenticate(token, question) {
      const { audiences } = question;
      if (!isSigned(token)) return noCredentials;
      const startedAt = performance.now();
      if (verifiedBy !== keys.all) {
        verifiedBy = keys.all;
        verified = new VerifiedTokens();
      }
      const seen = verified.find(digestOf(token, question));
      if (seen !== undefined) {
        observer?.requested("hit", performance.now() - startedAt);
        return judge(settings, seen, token, audiences);
      }
      const claims = unverifiedClaims(token);
      if (claims === undefined || typeof claims.iss !== "string" || !known.has(claims.iss))
        return noCredentials;
      return verify(token, claims, audiences);
    },
  };
}

function judge(
  settings: ServiceAccountTokenSettings,
  verified: VerifiedToken,
  token: string,
  audiences: readonly string[],
): Promise<AuthenticationResult> {
  const { issuers, legacyIssuer } = settings;
  const isLegacy = verified.claims.iss === legacyIssuer && !issuers.includes(legacyIssuer);
  return isLegacy
    ? judgeLegacy(settings, token, verified, audiences)
    : judgeBound(settings, verified, audiences);
}

async function judgeBound(
  settings: ServiceAccountTokenSettings,
  verified: VerifiedToken,
  wanted: readonly string[],
): Promise<AuthenticationResult> {
  const claims = claimsFromJson(verified.claims, settings.domain);
  if (claims === undefined)
    return rejected("token could not be validated: it is bound to no service account");
  const audiences = commonAudiences(settings, claims.audiences, wanted);
  if (audiences.kind === "none") return audiences.result;
  const problem = timeProblem(claims, settings.now()) ?? (await boundProblem(settings, claims));
  if (problem !== undefined) return rejected(problem);
  verified.user ??= accountUser(settings, claims);
  const note = renewalNote(settings, claims);
  return { kind: "authenticated", user: verified.user, audiences: audiences.common, notes: note && [note] };
}

function renewalNote(
  { annotationPrefix, now, used }: ServiceAccountTokenSettings,
  { subject, warnAfter = 0 }: ServiceAccountClaims,
): CredentialNote | undefined {
  if (warnAfter === 0) return undefined;
  const late = Math.floor(now().getTime() / 1000) - warnAfter;
  used(late > 0 ? "stale" : "valid");
  if (late <= 0) return undefined;
  const value = `subject: ${subject}, seconds after warning threshold: ${late}`;
  return { key: `${annotationPrefix}/stale-token`, value };
}

function commonAudiences(
  { apiAudiences }: ServiceAccountTokenSettings,
  ofToken: readonly string[],
  wanted: readonly string[],
):
  | { readonly kind: "some"; readonly common: readonly string[] }
  | { readonly kind: "none"; readonly result: AuthenticationResult } {
  // Tokens without an audience are legacy ones, for the API alone.
  const meant = ofToken.length === 0 ? apiAudiences : ofToken;
  const common = meant.filter((audience) => wanted.includes(audience));
  if (common.length > 0 || apiAudiences.length === 0) return { kind: "some", common };
  const why = `token audiences ${goList(meant)} is invalid for the target audiences ${goList(wanted)}`;
  return { kind: "none", result: rejected(why) };
}

/** A malformed time would otherwise mean no expiry, and a malformed audience the API's own. */
function malformedClaim(json: JsonObject): string | undefined {
  const bad = timeClaims.find((name) => json[name] !== undefined && !Number.isFinite(json[name]));
  if (bad !== undefined) return `token could not be validated: its ${bad} claim is not a time`;
  const { aud = [] } = json;
  return [aud].flat().every((each) => typeof each === "string")
    ? undefined
    : "token could not be validated: its aud claim is not an audience";
}

function timeProblem(claims: ServiceAccountClaims, now: Date): string | undefined {
  const nowSeconds = now.getTime() / 1000;
  const leeway = leewayMs / 1000;
  if (claims.expiresAt !== undefined && nowSeconds - leeway > claims.expiresAt) {
    return "service account token has expired";
  }
  if (claims.notBefore !== undefined && nowSeconds + leeway < claims.notBefore) {
    return "service account token is not valid yet";
  }
  if (claims.issuedAt !== undefined && nowSeconds + leeway < claims.issuedAt) {
    return "service account token is issued in the future";
  }
  return undefined;
}

/** The account and the object that the token is bound to must still exist, with the same UIDs. */
async function boundProblem(
  { lookup, now, reads }: ServiceAccountTokenSettings,
  { namespace, account, pod, secret, node }: ServiceAccountClaims,
): Promise<string | undefined> {
  const deadline = now().getTime() - leewayMs;
  const found = await lookup.serviceAccount(namespace, account.name);
  if (found === undefined) return `serviceaccounts ${JSON.stringify(account.name)} not found`;
  if (isGone(found, deadline)) return `service account ${namespace}/${account.name} has been deleted`;
  if (found.uid !== account.uid) {
    return `service account UID (${found.uid}) does not match claim (${account.uid})`;
  }
  if (secret !== undefined) {
    const problem = refProblem(await lookup.secret(namespace, secret.name), secret, "secret", deadline);
    if (problem !== undefined) return problem;
  }
  if (pod !== undefined) return refProblem(await lookup.pod(namespace, pod.name), pod, "pod", deadline);
  if (node === undefined || reads?.boundNodes !== true) return undefined;
  const { name, uid = "" } = node;
  return refProblem(await lookup.node(name), { name, uid }, "node", deadline);
}

function refProblem(
  found: LookedUpObject | undefined,
  ref: ObjectRef,
  kind: string,
  deadline: number,
): string | undefined {
  if (found === undefined || isGone(found, deadline)) return "service account token has been invalidated";
  return found.uid === ref.uid
    ? undefined
    : `${kind} UID (${found.uid}) does not match service account ${kind} ref claim (${ref.uid})`;
}

function isGone(object: LookedUpObject, deadline: number): boolean {
  return object.deletedAt !== undefined && object.deletedAt.getTime() < deadline;
}

function accountUser(
  { extraPrefix, reads }: ServiceAccountTokenSettings,
  {
    namespace,
    account,
    pod,
    node,
    id,
  }: Pick<ServiceAccountClaims, "namespace" | "account" | "pod" | "node" | "id">,
): UserInfo {
  const extra: Record<string, string[]> = {};
  if (id !== undefined && reads?.ids === true) extra[`${extraPrefix}/credential-id`] = [credentialIdOf(id)];
  if (node !== undefined && reads?.nodesOfPods === true) {
    extra[`${extraPrefix}/node-name`] = [node.name];
    if (node.uid !== undefined) extra[`${extraPrefix}/node-uid`] = [node.uid];
  }
  if (pod !== undefined) {
    extra[`${extraPrefix}/pod-name`] = [pod.name];
    extra[`${extraPrefix}/pod-uid`] = [pod.uid];
  }
  const { user } = authenticated({
    name: accountUserName(namespace, account.name),
    uid: account.uid,
    groups: accountGroups(namespace),
    extra,
  });
  return Object.freeze(user);
}

/** A token in a secret, whose lifetime is that of the secret. */
async function judgeLegacy(
  settings: ServiceAccountTokenSettings,
  token: string,
  verified: VerifiedToken,
  wanted: readonly string[],
): Promise<AuthenticationResult> {
  const json = verified.claims;
  const { domain, lookup, lookupLegacy, now } = settings;
  const claim = (name: string): string => textOf(json[`${domain}/serviceaccount/${name}`]);
  const audiences = commonAudiences(settings, audiencesOf(json.aud), wanted);
  if (audiences.kind === "none") return audiences.result;
  const namespace = claim("namespace");
  const account = { name: claim("service-account.name"), uid: claim("service-account.uid") };
  const secretName = claim("secret.name");
  if (textOf(json.sub) === "") return rejected("sub claim is missing");
  if (namespace === "") return rejected("namespace claim is missing");
  if (secretName === "") return rejected("secretName claim is missing");
  if (account.name === "") return rejected("serviceAccountName claim is missing");
  if (account.uid === "") return rejected("serviceAccountUID claim is missing");
  if (textOf(json.sub) !== accountUserName(namespace, account.name)) {
    return rejected("sub claim is invalid");
  }
  const legacyNote = { key: `${settings.annotationPrefix}/legacy-token`, value: textOf(json.sub) };
  const notes: CredentialNote[] = [legacyNote];
  if (lookupLegacy) {
    const secret = await lookup.secret(namespace, secretName);
    if (secret === undefined || secret.deletedAt !== undefined) {
      return rejected("service account token has been invalidated");
    }
    if (secret.token === undefined || !isSameSecret(token, secret.token)) {
      return rejected("service account token does not match server's copy");
    }
    const found = await lookup.serviceAccount(namespace, account.name);
    if (found === undefined || isGone(found, now().getTime())) {
      return rejected(`service account ${namespace}/${account.name} has been deleted`);
    }
    if (found.uid !== account.uid) {
      return rejected(`service account UID (${found.uid}) does not match claim (${account.uid})`);
    }
    const tracked = trackUse(settings, {
      namespace,
      name: secretName,
      accountName: account.name,
      secret,
      found,
    });
    if (tracked !== undefined) notes.push(tracked.note);
    if (tracked?.refusal !== undefined) {
      settings.used("legacy");
      return rejected(tracked.refusal, notes);
    }
  }
  verified.user ??= accountUser(settings, { namespace, account, pod: undefined });
  settings.used("legacy");
  return { kind: "authenticated", user: verified.user, audiences: audiences.common, notes };
}

interface SecretUse {
  readonly namespace: string;
  readonly name: string;
  readonly accountName: string;
  readonly secret: LookedUpSecret;
  readonly found: LookedUpAccount;
}

/** Source: Kubernetes' `pkg/serviceaccount`, KEP-2799. */
function trackUse(
  { tracking, annotationPrefix, now }: ServiceAccountTokenSettings,
  { namespace, name, accountName, secret, found }: SecretUse,
): { readonly note: CredentialNote; readonly refusal?: string } | undefined {
  if (tracking === undefined) return undefined;
  const { lastUsedLabel, invalidSinceLabel } = tracking;
  const [today = "", tomorrow] = [0, 1].map((days) =>
    new Date(now().getTime() + days * dayMs).toISOString().slice(0, 10),
  );
  const lastUsed = secret.labels[lastUsedLabel];
  if (lastUsed !== today && lastUsed !== tomorrow)
    tracking.label({ namespace, name, uid: secret.uid }, today);
  const key = (what: string): string => `${annotationPrefix}/legacy-token-${what}`;
  if (invalidSinceLabel !== undefined && (secret.labels[invalidSinceLabel] ?? "") !== "") {
    tracking.used("invalid");
    return {
      note: { key: key("invalidated"), value: `${name}/${namespace}` },
      refusal: `the token in secret ${namespace}/${name} for service account ${namespace}/${accountName} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
    };
  }
  const isMade = found.secrets.has(name);
  tracking.used(isMade ? "auto" : "manual");
  return {
    note: isMade
      ? { key: key("autogenerated-secret"), value: name, warning: useOtherTokens }
      : { key: key("manual-secret"), value: name },
  };
}

const dayMs = 86_400_000;
const useOtherTokens =
  "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.";

interface VerifiedToken {
  readonly claims: JsonObject;
  /** Made when the token is first accepted. The same object for all its requests: caches know the user by it. */
  user: UserInfo | undefined;
}

/** Signatures do not change: each good token is verified once while it is cached, by its digest. */
class VerifiedTokens {
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

async function isSignedByOneOf(keys: readonly TokenKey[], token: string): Promise<boolean> {
  const { compactVerify } = await import("jose");
  for (const key of keys) {
    try {
      await compactVerify(token, key.publicKey, { algorithms: acceptedAlgorithms(key.algorithm) });
      return true;
    } catch {
      // Another key may have signed it.
    }
  }
  return false;
}

function acceptedAlgorithms(algorithm: TokenAlgorithm): string[] {
  return algorithm === "RS256" ? ["RS256", "RS384", "RS512"] : [algorithm];
}

/** A list as Go prints it with %q. */
function goList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
