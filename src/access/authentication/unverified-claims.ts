import { isJsonObject, type JsonObject } from "../../apimachinery/json-value.js";

/** The claims of a token that looks like a signed one, to find out whose it might be; undefined for any other. */
export function unverifiedClaims(token: string): JsonObject | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  return claimsOf(Buffer.from(parts[1] ?? "", "base64url"));
}

/** Undefined for what is not a JSON object. */
export function claimsOf(payload: Uint8Array): JsonObject | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
