import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { isSameSecret } from "./same-secret.js";

const compare = vi.spyOn(crypto, "timingSafeEqual");
// Updates the named exports of the built-in module.
syncBuiltinESMExports();

beforeEach(() => void compare.mockClear());

afterAll(() => {
  compare.mockRestore();
  syncBuiltinESMExports();
});

test.each<[string | Uint8Array, string | Uint8Array, boolean]>([
  ["secret", "secret", true],
  ["secret", Buffer.from("secret"), true],
  ["", "", true],
  ["secret", "secreT", false],
  ["Secret", "secret", false],
  ["secre", "secret", false],
  ["secret-and-more", "secret", false],
  ["", "secret", false],
])("%j and %j: %s, compared in the time that digests of one length take", (given, stored, same) => {
  expect(isSameSecret(given, stored)).toBe(same);
  expect(compare.mock.calls.map((pair) => pair.map((digest) => digest.byteLength))).toEqual([[32, 32]]);
});
