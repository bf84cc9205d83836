import { expect, test } from "vitest";
import { FieldPath, invalid, required } from "./field-error.js";
import { invalidObject } from "./status.js";

test("of very many problems, or very long ones, the first are told", () => {
  const path = FieldPath.of("spec");
  const of = (count: number, text: string) =>
    invalidObject(
      { group: "", kind: "Pod" },
      "a",
      Array.from({ length: count }, (_, i) => required(path.index(i), text)),
    );
  const many = of(100_000, "x").status;
  expect(many.details?.causes).toHaveLength(1000);
  expect(many.message).toMatch(/, spec\[999\]: Required value: x, and 99000 more errors\]$/);
  expect(of(50, "x".repeat(100_000)).status.details?.causes).toHaveLength(10);
  expect(of(1, "x".repeat(2_000_000)).status.details?.causes).toHaveLength(1);
});

test("a value and a name of megabytes are shortened", () => {
  const long = "x".repeat(2_000_000);
  const error = invalidObject({ group: "", kind: "Pod" }, long, [
    invalid(FieldPath.of("metadata", "name"), long, "too long"),
  ]);
  expect(error.message.length).toBeLessThan(200_000);
  expect(error.message).toMatch(/^Pod "x+…" is invalid: metadata\.name: Invalid value: "x+…": too long$/);
  expect(error.status.details?.name).toMatch(/^x+…$/);
});
