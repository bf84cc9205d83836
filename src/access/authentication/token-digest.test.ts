import { expect, test } from "vitest";
import { LastDigest, tokenDigest } from "./token-digest.js";

test("a connection's digest follows the token that it presents", () => {
  const last = new LastDigest();
  for (const token of ["", "a", "a", "b", "a"]) expect(last.of(token)).toBe(tokenDigest(token));
  expect(tokenDigest("a")).not.toBe(tokenDigest("b"));
});
