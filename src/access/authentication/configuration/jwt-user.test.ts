import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import type { JwtAuthenticator } from "./authentication-configuration.js";
import { createJwtUser } from "./jwt-user.js";

test("all expressions about one token together may cost what one may", () => {
  const claims = { sub: "jane", roles: Array.from({ length: 300 }, (_, index) => `r${index}`) };
  const nested = "claims.roles.all(a, claims.roles.all(b, a != b || a == b))";
  const userOf = (rules: number) =>
    createJwtUser(
      {
        claimMappings: { username: { expression: "claims.sub" } },
        claimValidationRules: Array.from({ length: rules }, () => ({ expression: nested })),
      },
      { level: "1.35", credentialIdKey: undefined },
    )(claims);
  expect(userOf(1)).toMatchObject({ name: "jane" });
  expect(() => userOf(5)).toThrow("the cost limit is exceeded");
});

function userOf(claimMappings: JwtAuthenticator["claimMappings"]): (claims: JsonObject) => UserInfo {
  return createJwtUser({ claimMappings }, { level: "1.35", credentialIdKey: undefined });
}

test("an expression gives no empty name", () => {
  const named = userOf({ username: { expression: "claims.email" } });
  expect(named({ email: "jane@example.com" }).name).toBe("jane@example.com");
  expect(() => named({ email: "" })).toThrow("oidc: empty username via CEL expression is not allowed");
});

test("a claim that is null counts as present", () => {
  const of = userOf({
    username: { expression: "claims.sub" },
    uid: { expression: "claims.id == null ? 'none' : claims.id" },
    extra: [{ key: "example.com/roles", valueExpression: "claims.roles" }],
  });
  expect(of({ sub: "jane", id: null, roles: null })).toMatchObject({ uid: "none", extra: {} });
});

test.each<[string, JwtAuthenticator["claimMappings"], string]>([
  [
    "a name without its claim",
    { username: { expression: "claims.nick" } },
    "oidc: error evaluating username claim expression: expression 'claims.nick' resulted in error: no such key: nick",
  ],
  [
    "a name that is a number",
    { username: { expression: "claims.age" } },
    "oidc: error evaluating username claim expression: username claim expression must return a string",
  ],
  [
    "groups that are numbers",
    { username: { claim: "sub", prefix: "" }, groups: { expression: "[claims.age]" } },
    "oidc: error evaluating group claim expression: expression must return a string or a list of strings",
  ],
  [
    "an extra fact without its claim",
    { username: { claim: "sub", prefix: "" }, extra: [{ key: "a.b/c", valueExpression: "claims.role" }] },
    "expression 'claims.role' resulted in error: no such key: role",
  ],
  [
    "an extra fact that is a number",
    { username: { claim: "sub", prefix: "" }, extra: [{ key: "a.b/c", valueExpression: "claims.age" }] },
    "oidc: error evaluating extra claim expression: claims.age: expression must return a string or a list of strings",
  ],
])("%s is refused", (_what, claimMappings, problem) => {
  expect(() => userOf(claimMappings)({ sub: "jane", age: 30 })).toThrow(new Error(problem));
});
