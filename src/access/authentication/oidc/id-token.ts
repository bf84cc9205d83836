import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { audiencesOf } from "../service-account-claims.js";
import { goList } from "../service-account-user.js";

/** Tolerance for clock differences; as in Kubernetes' library, only for tokens that are not valid yet. */
const notBeforeLeewayMs = 60_000;

const googleIssuer = "https://accounts.google.com";

/** The issuer that claims name. Google's may lack its scheme (OpenID Connect Core 1.0 §15.6.2). */
export function issuerOf(claims: JsonObject | undefined): string | undefined {
  const issuer = claims?.iss;
  if (issuer === "accounts.google.com") return googleIssuer;
  return typeof issuer === "string" ? issuer : undefined;
}

/** Why an ID token with a good signature is invalid (OpenID Connect Core 1.0 §3.1.3.7); undefined when it is valid. */
export function idTokenProblem(
  claims: JsonObject,
  expected: { readonly issuer: string; readonly audiences: readonly string[] },
  now: Date,
): string | undefined {
  const sourceProblem = claimSourceProblem(claims);
  if (sourceProblem !== undefined) return sourceProblem;
  const { sub = null } = claims;
  // Kubernetes' library decodes `sub` even if another claim is the username.
  if (sub !== null && typeof sub !== "string") return "oidc: failed to unmarshal claims: sub: not a string";
  const issuer = issuerOf(claims) ?? "";
  if (issuer !== expected.issuer) {
    return `oidc: id token issued by a different provider, expected ${JSON.stringify(expected.issuer)} got ${JSON.stringify(issuer)}`;
  }
  const audiences = audiencesOf(claims.aud);
  if (!expected.audiences.some((audience) => audiences.includes(audience))) {
    const [only = "", ...others] = expected.audiences;
    const wanted = others.length === 0 ? JSON.stringify(only) : `in ${goList(expected.audiences)}`;
    return `oidc: expected audience ${wanted} got ${goList(audiences)}`;
  }
  const expiry = timeOf(claims.exp);
  if (expiry === undefined || expiry.getTime() < now.getTime()) {
    return `oidc: token is expired (Token Expiry: ${expiry === undefined ? "0001-01-01 00:00:00 +0000 UTC" : shownTime(expiry)})`;
  }
  const notBefore = timeOf(claims.nbf);
  if (notBefore !== undefined && now.getTime() + notBeforeLeewayMs < notBefore.getTime()) {
    return `oidc: current time ${shownTime(now)} before the nbf (not before) time: ${shownTime(notBefore)}`;
  }
  return undefined;
}

/** `2024-01-02 03:04:05 +0000 UTC`. */
function shownTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} +0000 UTC`;
}

/** Every distributed claim must have a source, whether the server uses the claim or not. */
function claimSourceProblem({
  _claim_names: names = null,
  _claim_sources: sources = null,
}: JsonObject): string | undefined {
  const malformed = "oidc: failed to unmarshal claims";
  if (names === null) return undefined;
  if (!isJsonObject(names)) return malformed;
  for (const source of Object.values(names)) {
    if (typeof source !== "string") return malformed;
    if (source === "") return "oidc: failed to obtain source from claim name";
    if (!isJsonObject(sources) || !Object.hasOwn(sources, source)) return "oidc: source does not exist";
  }
  return undefined;
}

/** Seconds since the epoch; undefined for anything but a number. */
export function timeOf(value: JsonValue | undefined): Date | undefined {
  return typeof value === "number" && Math.abs(value) < 8.64e12 ? new Date(value * 1000) : undefined;
}
