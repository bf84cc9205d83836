import { expect, test } from "vitest";
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
