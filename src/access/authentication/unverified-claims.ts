import { isJsonObject, type JsonObject } from "../../apimachinery/json-value.js";

/** The unverified claims of a token in JWS form, to see who might have issued it; undefined for any other. */
export function unverifiedClaims(token: string): JsonObject | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  return claimsOf(Buffer.from(parts[1] ?? "", "base64url"));
}

/** Undefined for anything but a JSON object. */
export function claimsOf(payload: Uint8Array): JsonObject | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
