import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import { audiencesOf } from "../service-account-claims.js";

/** Tolerance for clock differences; as in Kubernetes' library, only for tokens that are not valid yet. */
const notBeforeLeewayMs = 60_000;

/** Why an ID token with a good signature is invalid (OpenID Connect Core 1.0 §3.1.3.7); undefined when it is valid. */
export function idTokenProblem(
  claims: JsonObject,
  expected: { readonly issuer: string; readonly audiences: readonly string[] },
  now: Date,
): string | undefined {
  if (claims.iss !== expected.issuer) {
    return `oidc: id token issued by a different provider, expected ${quoted(expected.issuer)} got ${quoted(claims.iss)}`;
  }
  const audiences = audiencesOf(claims.aud);
  if (!expected.audiences.some((audience) => audiences.includes(audience))) {
    const [only = "", ...others] = expected.audiences;
    const wanted = others.length === 0 ? quoted(only) : `in ${JSON.stringify(expected.audiences)}`;
    return `oidc: expected audience ${wanted} got ${JSON.stringify(audiences)}`;
  }
  const expiry = timeOf(claims.exp);
  if (expiry === undefined || expiry.getTime() < now.getTime()) {
    return `oidc: token is expired (Token Expiry: ${expiry?.toISOString() ?? "none"})`;
  }
  const notBefore = timeOf(claims.nbf);
  if (notBefore !== undefined && now.getTime() + notBeforeLeewayMs < notBefore.getTime()) {
    return `oidc: current time ${now.toISOString()} before the nbf (not before) time: ${notBefore.toISOString()}`;
  }
  return undefined;
}

/** Seconds since the epoch; undefined for anything but a number. */
export function timeOf(value: JsonValue | undefined): Date | undefined {
  return typeof value === "number" && Math.abs(value) < 8.64e12 ? new Date(value * 1000) : undefined;
}

function quoted(value: JsonValue | undefined): string {
  return JSON.stringify(typeof value === "string" ? value : "");
}
