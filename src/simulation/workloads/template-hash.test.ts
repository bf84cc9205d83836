import { expect, test } from "vitest";
import { contentHash } from "./template-hash.js";

test("content with a number that only 64 bits hold has a hash of its own", () => {
  const spec = (terminationGracePeriodSeconds: bigint) => ({ spec: { terminationGracePeriodSeconds } });
  const longest = 2n ** 63n - 1n;
  expect(contentHash(spec(longest))).toBe(contentHash(spec(longest)));
  expect(contentHash(spec(longest))).not.toBe(contentHash(spec(longest - 1n)));
});
