import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";

/** Which claims name the user, and how. */
export interface ClaimMapping {
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  /** Undefined: no groups. */
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
  /** Key of the extra value for the token's id; undefined for none. */
  readonly credentialIdKey: string | undefined;
}

/**
 * The prefix of user names by `--oidc-username-prefix`: `-` means none; without the option, names other than emails get the issuer as
 * prefix, so that they cannot be mistaken for other users.
 */
export function usernamePrefix(
  given: string | undefined,
  { issuer, usernameClaim }: { readonly issuer: string; readonly usernameClaim: string },
): string {
  if (given === "-") return "";
  if (given !== undefined && given !== "") return given;
  return usernameClaim === "email" ? "" : `${issuer}#`;
}

/** The user described by verified claims. Throws an `Error` in Kubernetes' words. */
export function userOfClaims(claims: JsonObject, mapping: ClaimMapping): UserInfo {
  const username = usernameFromClaim(claims, mapping.usernameClaim);
  const groups = groupsFromClaim(claims, mapping.groupsClaim);
  checkRequiredClaims(claims, mapping.requiredClaims);
  return {
    name: mapping.usernamePrefix + username,
    uid: "",
    groups: groups.map((group) => mapping.groupsPrefix + group),
    extra: credentialId(claims, mapping.credentialIdKey),
  };
}

export function usernameFromClaim(claims: JsonObject, claim: string): string {
  const username = own(claims, claim);
  if (username === undefined) {
    throw new Error(`oidc: parse username claims ${JSON.stringify(claim)}: claim not present`);
  }
  if (typeof username !== "string") {
    throw new Error(`oidc: parse username claims ${JSON.stringify(claim)}: not a string`);
  }
  if (claim === "email") checkEmail(own(claims, "email_verified"));
  return username;
}

/** Without a claim, none. */
export function groupsFromClaim(claims: JsonObject, claim: string | undefined): readonly string[] {
  return claim === undefined || claim === "" ? [] : groupsOf(own(claims, claim), claim);
}

export function checkRequiredClaims(claims: JsonObject, required: ReadonlyMap<string, string>): void {
  for (const [claim, wanted] of required) {
    const value = own(claims, claim);
    if (value === undefined) throw new Error(`oidc: required claim ${claim} not present in ID token`);
    if (typeof value !== "string") throw new Error(`oidc: parse claim ${claim}: not a string`);
    if (value !== wanted) {
      throw new Error(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
    }
  }
}

/** The extra value `key` with the token's id. */
export function credentialId(claims: JsonObject, key: string | undefined): Record<string, readonly string[]> {
  const id = own(claims, "jti");
  return key !== undefined && typeof id === "string" && id !== "" ? { [key]: [`JTI=${id}`] } : {};
}

/** An unverified email address identifies nobody. */
function checkEmail(verified: JsonValue | undefined): void {
  if (verified === undefined) return;
  if (typeof verified !== "boolean") throw new Error("oidc: parse 'email_verified' claim: not a boolean");
  if (!verified) throw new Error("oidc: email not verified");
}

function groupsOf(value: JsonValue | undefined, claim: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw new Error(
    `oidc: parse groups claim ${JSON.stringify(claim)}: neither a string nor a list of strings`,
  );
}

function own(claims: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
