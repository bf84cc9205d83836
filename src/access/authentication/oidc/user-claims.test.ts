import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { type ClaimMapping, usernamePrefix, userOfClaims } from "./user-claims.js";

const mapping: ClaimMapping = {
  usernameClaim: "sub",
  usernamePrefix: "",
  groupsClaim: "groups",
  groupsPrefix: "",
  requiredClaims: new Map(),
  credentialIdKey: undefined,
};

test.each<[string | undefined, string, string]>([
  [undefined, "sub", "https://issuer#"],
  ["", "sub", "https://issuer#"],
  [undefined, "email", ""],
  ["-", "sub", ""],
  ["oidc:", "email", "oidc:"],
])("prefix %j with claim %s is %j", (given, usernameClaim, expected) => {
  expect(usernamePrefix(given, { issuer: "https://issuer", usernameClaim })).toBe(expected);
});

test.each<[string, JsonObject, Partial<ClaimMapping>, object]>([
  ["name alone", { sub: "jane" }, {}, { name: "jane", groups: [] }],
  ["one group as a string", { sub: "jane", groups: "a" }, {}, { groups: ["a"] }],
  ["several groups", { sub: "jane", groups: ["a", "b"] }, {}, { groups: ["a", "b"] }],
  [
    "groups that are not asked for",
    { sub: "jane", groups: ["a"] },
    { groupsClaim: undefined },
    { groups: [] },
  ],
  [
    "prefixes",
    { sub: "jane", groups: ["a"] },
    { usernamePrefix: "u:", groupsPrefix: "g:" },
    { name: "u:jane", groups: ["g:a"] },
  ],
  ["an email without a word on it", { email: "j@x" }, { usernameClaim: "email" }, { name: "j@x" }],
  ["a verified email", { email: "j@x", email_verified: true }, { usernameClaim: "email" }, { name: "j@x" }],
  ["another name whose email is not verified", { sub: "jane", email_verified: false }, {}, { name: "jane" }],
  [
    "a required claim",
    { sub: "jane", hd: "x" },
    { requiredClaims: new Map([["hd", "x"]]) },
    { name: "jane" },
  ],
])("%s", (_what, claims, changes, expected) => {
  expect(userOfClaims(claims, { ...mapping, ...changes })).toMatchObject(expected);
});

test("the token's id is told where it is asked for", () => {
  const claims = { sub: "jane", jti: "t-1" };
  expect(userOfClaims(claims, mapping).extra).toEqual({});
  expect(userOfClaims(claims, { ...mapping, credentialIdKey: "id" }).extra).toEqual({ id: ["JTI=t-1"] });
  expect(userOfClaims({ sub: "jane" }, { ...mapping, credentialIdKey: "id" }).extra).toEqual({});
});

test.each<[string, JsonObject, Partial<ClaimMapping>, string]>([
  ["no name", {}, {}, 'oidc: parse username claims "sub": claim not present'],
  ["a name of the prototype's", {}, { usernameClaim: "toString" }, "claim not present"],
  ["a name that is a number", { sub: 7 }, {}, 'oidc: parse username claims "sub": not a string'],
  [
    "an unverified email",
    { email: "j@x", email_verified: false },
    { usernameClaim: "email" },
    "oidc: email not verified",
  ],
  [
    "an email verified in words",
    { email: "j@x", email_verified: "true" },
    { usernameClaim: "email" },
    "oidc: parse 'email_verified' claim: not a boolean",
  ],
  ["groups of another form", { sub: "jane", groups: [1] }, {}, 'oidc: parse groups claim "groups"'],
  [
    "no required claim",
    { sub: "jane" },
    { requiredClaims: new Map([["hd", "x"]]) },
    "oidc: required claim hd not present in ID token",
  ],
  [
    "another value of it",
    { sub: "jane", hd: "y" },
    { requiredClaims: new Map([["hd", "x"]]) },
    "oidc: required claim hd value does not match. Got = y, want = x",
  ],
])("%s is refused", (_what, claims, changes, message) => {
  expect(() => userOfClaims(claims, { ...mapping, ...changes })).toThrow(message);
});
