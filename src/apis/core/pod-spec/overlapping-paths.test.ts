import { expect, test } from "vitest";
import { overlappingPathWarnings } from "./overlapping-paths.js";

const warningsOf = (...paths: readonly string[]) =>
  overlappingPathWarnings({
    volumes: [{ name: "v", configMap: { name: "m", items: paths.map((path) => ({ key: "k", path })) } }],
  });

test("slashes at the end of a path do not count", () => {
  expect(warningsOf("a/b", "a//", "c/")).toEqual([
    'volume "v" (ConfigMap "m"): overlapping paths: "a" with "a/b"',
  ]);
});

test("a path of very many slashes is looked at once", () => {
  const long = `a${"/".repeat(1_000_000)}b`;
  expect(warningsOf(long, long)).toHaveLength(1);
});
