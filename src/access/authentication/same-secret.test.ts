import { timingSafeEqual } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { isSameSecret } from "./same-secret.js";

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const compare = vi.mocked(timingSafeEqual);

beforeEach(() => void compare.mockClear());

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
