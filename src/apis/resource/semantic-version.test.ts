import { expect, test } from "vitest";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { validateSemanticVersion } from "./semantic-version.js";

test.each([
  ["1.2.3", true],
  ["1.2.3-rc.1+linux.amd64", true],
  ["0.0.0--", true],
  ["1.2", false],
  ["v1.2.3", false],
  ["01.2.3", false],
  ["1.2.3-01", false],
  ["1.2.3+", false],
  // Too long to be read.
  [`1.2.3-${"1".repeat(3_000_000)}`, false],
])("%.20s: %s", (text, isVersion) => {
  expect(validateSemanticVersion(text, FieldPath.of("version")).length === 0).toBe(isVersion);
});
