import { expect, test } from "vitest";
import { FieldPath, invalid, required } from "./field-error.js";
import { PrintedValue } from "./printed-value.js";
import { badRequest, invalidObject } from "./status.js";

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

test("keys, lists and structures of megabytes are shortened", () => {
  const long = "a".repeat(2_000_000);
  for (const value of [[long, long], { [long]: long }, new PrintedValue(long)]) {
    const error = invalid(FieldPath.of("data").key(long), value, "is bad");
    const { status } = invalidObject({ group: "", kind: "ConfigMap" }, "a", [error]);
    expect(status.message?.length).toBeLessThan(200_000);
    expect(status.details?.causes?.[0]?.field).toMatch(/^data\[a{1000,}…$/);
    expect(status.message).toContain("is bad");
  }
});

test("a message of megabytes is shortened", () => {
  const { message } = badRequest("x".repeat(2_000_000));
  expect(message).toMatch(/^x+…$/);
  expect(message.length).toBeLessThan(100_000);
});
