import { expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { validateNoSysctlOverlap } from "./sysctl-validation.js";

function overlaps(allowed: readonly string[], forbidden: readonly string[]): string[] {
  const errors = validateNoSysctlOverlap(
    { sysctls: allowed, path: FieldPath.of("allowed") },
    { sysctls: forbidden, path: FieldPath.of("forbidden") },
  );
  return errors.map(({ field, body }) => `${field} ${body.slice(body.lastIndexOf(" ") + 1)}`);
}

test.each([
  [["a.b"], ["a.b"], ["allowed[0] a.b"]],
  [["a.b"], ["a.*", "a.c"], ["allowed[0] a.*"]],
  [["a.*"], ["a.b", "b", "a.b*"], ["forbidden[0] a.*", "forbidden[2] a.*"]],
  [["*"], ["*", "x"], ["allowed[0] *", "forbidden[1] *"]],
  [["a", "a.b.c"], ["a.b", "a.b*"], ["allowed[1] a.b*"]],
  [["a.b*"], ["a.b"], ["forbidden[0] a.b*"]],
  [["a.b"], ["a.b*"], ["allowed[0] a.b*"]],
  [[], ["a"], []],
])("%j overlaps with %j", (allowed, forbidden, expected) => {
  expect(overlaps(allowed, forbidden)).toEqual(expected);
});

test("tens of thousands of patterns are compared in linear time", () => {
  const names = (of: string) => Array.from({ length: 25_000 }, (_, i) => `${of}.n${i}.${of}*`);
  expect(overlaps(names("a"), [...names("b"), "a.n7.*"])).toEqual(["allowed[7] a.n7.*"]);
});
