import type { JsonObject } from "../../apimachinery/json/json-value.js";
import {
  type AuthenticationResult,
  type CredentialNote,
  digestOf,
  noCredentials,
  rejected,
  type TokenMechanism,
} from "./authenticator.js";
import { judgeLegacy } from "./legacy-token.js";
import { claimsFromJson, type ObjectRef, type ServiceAccountClaims } from "./service-account-claims.js";
import { isGone, type LookedUpObject, type ServiceAccountTokenSettings } from "./service-account-settings.js";
import { accountUser, commonAudiences } from "./service-account-user.js";
import { isSigned, unverifiedClaims, unverifiedKeyId } from "./unverified-claims.js";
import { isSignedByOneOf, type VerifiedToken, VerifiedTokens } from "./verified-tokens.js";

/** Tolerance for clock differences; an object deleted more recently still counts. */
const leewayMs = 60_000;
const timeClaims = ["exp", "nbf", "iat"];
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
    if (candidates.length === 0) return rejected("invalid signature, no keys found");
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

/** Without this check, a malformed time would mean no expiry, and a malformed audience the API's own. */
function malformedClaim(json: JsonObject): string | undefined {
  const bad = timeClaims.find((name) => json[name] !== undefined && !Number.isFinite(json[name]));
  if (bad !== undefined) return `token could not be validated: its ${bad} claim is not a time`;
  const { aud = [], sub = "" } = json;
  if (typeof sub !== "string") return "token could not be validated: its sub claim is not a text";
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
