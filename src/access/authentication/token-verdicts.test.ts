import { expect, test } from "vitest";
import { type AuthenticationResult, authenticated } from "./authenticator.js";
import { TokenVerdicts } from "./token-verdicts.js";

const hour = () => 3_600_000;
const user = (name: string, groups: readonly string[] = [], extra = {}) =>
  authenticated({ name, uid: "", groups, extra });

test("large users are cached as long as there is room for all", async () => {
  const verdicts = new TokenVerdicts({ now: () => 0 });
  const large = "x".repeat(500_000);
  let asked = 0;
  const find = (token: string) =>
    verdicts.find(
      token,
      [],
      async () => {
        asked++;
        return user(large);
      },
      hour,
    );
  for (let i = 0; i < 100; i++) await find(`${i}`);
  asked = 0;
  for (let i = 99; i >= 40; i--) await find(`${i}`);
  expect(asked).toBe(0);
  await find("0");
  expect(asked).toBe(1);
});

test.each<[string, AuthenticationResult]>([
  ["a name", user("x".repeat(600_000))],
  ["groups", user("jane", Array<string>(10_001).fill(""))],
  [
    "keys of extra fields",
    user("jane", [], Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [i, []]))),
  ],
  ["values of an extra field", user("jane", [], { scopes: Array<string>(10_001).fill("x") })],
])("a user who is larger than bounds allow is refused: %s", async (_what, result) => {
  const verdicts = new TokenVerdicts({ now: () => 0 });
  expect(await verdicts.find("a", [], async () => result, hour)).toMatchObject({
    kind: "rejected",
    reason: expect.stringContaining("more than 524288 in 10000"),
  });
});
