import { expect, test } from "vitest";
import { unverifiedClaims } from "./unverified-claims.js";

function token(claims: string): string {
  return `e30.${Buffer.from(claims).toString("base64url")}.c2ln`;
}

test("claims are those of a signed token", () => {
  expect(unverifiedClaims(token('{"iss":"a"}'))).toEqual({ iss: "a" });
  expect(unverifiedClaims(token("[1]"))).toBeUndefined();
  expect(unverifiedClaims(token("no JSON"))).toBeUndefined();
  expect(unverifiedClaims("a.b")).toBeUndefined();
});

test("claims of half a megabyte are read, more are not", () => {
  const claims = (bytes: number) => JSON.stringify({ iss: "x".repeat(bytes - '{"iss":""}'.length) });
  expect(unverifiedClaims(token(claims(512 * 1024)))).toBeDefined();
  expect(unverifiedClaims(token(claims(512 * 1024 + 1)))).toBeUndefined();
});
