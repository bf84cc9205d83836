import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";

/** Claims are parsed in one step, before their signature is verified. A token with 5,000 groups has a fifth of this. */
const claimsBytesMax = 512 * 1024;

/** Whether a token has the form of a JWS: three parts. */
export function isSigned(token: string): boolean {
  const first = token.indexOf(".");
  const second = token.indexOf(".", first + 1);
  return first >= 0 && second > first && token.indexOf(".", second + 1) < 0;
}

/** The unverified claims of a token in JWS form, to see who might have issued it; undefined for any other. */
export function unverifiedClaims(token: string): JsonObject | undefined {
  if (!isSigned(token)) return undefined;
  const start = token.indexOf(".") + 1;
  return claimsOf(Buffer.from(token.slice(start, token.indexOf(".", start)), "base64url"));
}

/** The key ID in the header of a token in JWS form; undefined when it has none. */
export function unverifiedKeyId(token: string): string | undefined {
  const kid = claimsOf(Buffer.from(token.slice(0, token.indexOf(".")), "base64url"))?.kid;
  return typeof kid === "string" && kid !== "" ? kid : undefined;
}

/** Undefined for anything but a JSON object, and for more than 512 KiB. */
export function claimsOf(payload: Uint8Array): JsonObject | undefined {
  if (payload.length > claimsBytesMax) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
