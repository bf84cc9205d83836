import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { idTokenProblem, issuerOf } from "./id-token.js";

const now = new Date("2026-01-01T00:00:00Z");
const seconds = now.getTime() / 1000;
const good: JsonObject = { iss: "https://issuer", aud: "app", exp: seconds + 1 };
const expected = { issuer: "https://issuer", audiences: ["app"] };

test.each<[string, JsonObject]>([
  ["one audience", good],
  ["one of several audiences", { ...good, aud: ["x", "app"] }],
  ["valid within a minute", { ...good, nbf: seconds + 59 }],
  ["a claim with its source", { ...good, _claim_names: { groups: "a" }, _claim_sources: { a: {} } }],
  ["no claim with a source", { ...good, _claim_names: {} }],
])("%s: good", (_what, claims) => {
  expect(idTokenProblem(claims, expected, now)).toBeUndefined();
});

test.each<[string, JsonObject, string]>([
  ["another issuer", { ...good, iss: "https://issuer/" }, "issued by a different provider"],
  ["no issuer", { aud: "app", exp: seconds + 1 }, "issued by a different provider"],
  ["another audience", { ...good, aud: ["x"] }, 'expected audience "app" got ["x"]'],
  ["no audience", { iss: "https://issuer", exp: seconds + 1 }, 'expected audience "app" got []'],
  [
    "expired",
    { ...good, exp: seconds - 1 },
    "token is expired (Token Expiry: 2025-12-31 23:59:59 +0000 UTC)",
  ],
  [
    "no end",
    { iss: "https://issuer", aud: "app" },
    "token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)",
  ],
  [
    "an end in words",
    { ...good, exp: "2027-01-01" },
    "token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)",
  ],
  [
    "not valid yet",
    { ...good, nbf: seconds + 61 },
    "oidc: current time 2026-01-01 00:00:00 +0000 UTC before the nbf (not before) time: 2026-01-01 00:01:01 +0000 UTC",
  ],
  ["several audiences", { ...good, aud: ["x", "y"] }, 'expected audience "app" got ["x" "y"]'],
  ["a subject that is a number", { ...good, sub: 7 }, "oidc: failed to unmarshal claims: sub: not a string"],
  ["a claim without any source", { ...good, _claim_names: { groups: "a" } }, "oidc: source does not exist"],
  [
    "a claim without its source",
    { ...good, _claim_names: { groups: "a" }, _claim_sources: { b: {} } },
    "oidc: source does not exist",
  ],
  [
    "a source without a name",
    { ...good, _claim_names: { groups: "" }, _claim_sources: { "": {} } },
    "oidc: failed to obtain source from claim name",
  ],
  ["names in another form", { ...good, _claim_names: ["groups"] }, "oidc: failed to unmarshal claims"],
])("%s: refused", (_what, claims, problem) => {
  expect(idTokenProblem(claims, expected, now)).toContain(problem);
});

test("Google's tokens may name their issuer without a scheme", () => {
  const issuer = "https://accounts.google.com";
  const claims = { ...good, iss: "accounts.google.com" };
  expect(issuerOf(claims)).toBe(issuer);
  expect(idTokenProblem(claims, { ...expected, issuer }, now)).toBeUndefined();
  expect(idTokenProblem({ ...good, iss: "issuer" }, expected, now)).toContain("a different provider");
});
