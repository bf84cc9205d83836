import { expect, test } from "vitest";
import { withErrorTextsOf } from "../errors/error-texts.js";
import type { FieldError } from "../errors/field-error.js";
import { FieldPath } from "../errors/field-error.js";
import { validateFinalizers } from "./finalizers.js";
import { validateLabelSelector } from "./label-selector.js";
import {
  validateDeleteOptions,
  validateListOptions,
  validatePatchOptions,
  validateWriteOptions,
} from "./request-options.js";

function texts(errors: FieldError[]): string[] {
  return errors.map((error) => `${error.field}: ${error.body}`);
}

test("delete options", () => {
  expect(validateDeleteOptions({ propagationPolicy: "Orphan", dryRun: ["All"] })).toEqual([]);
  expect(
    texts(validateDeleteOptions({ propagationPolicy: "Odd", orphanDependents: true, dryRun: ["Some"] })),
  ).toEqual([
    'propagationPolicy: Invalid value: "Odd": orphanDependents and deletionPropagation cannot be both set',
    'propagationPolicy: Unsupported value: "Odd": supported values: "Foreground", "Background", "Orphan", "nil"',
    'dryRun: Unsupported value: []string{"Some"}: supported values: "All"',
  ]);
});

test("lists of values are JSON since 1.34", () => {
  const dryRun = ["All", "Some"];
  const path = FieldPath.of("finalizers");
  const bodies = withErrorTextsOf(34, () => [
    ...validateDeleteOptions({ dryRun }),
    ...validateFinalizers(["orphan", "foregroundDeletion"], path),
  ]);
  expect(texts(bodies)).toEqual([
    'dryRun: Unsupported value: ["All","Some"]: supported values: "All"',
    'finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
});

test("write and patch options", () => {
  expect(validateWriteOptions({ fieldManager: "m", fieldValidation: "Strict" })).toEqual([]);
  expect(texts(validateWriteOptions({ fieldManager: "x".repeat(129), fieldValidation: "No" }))).toEqual([
    "fieldManager: Too long: must have at most 128 bytes",
    'fieldValidation: Unsupported value: "No": supported values: "", "Ignore", "Strict", "Warn"',
  ]);
  expect(texts(validatePatchOptions({ force: false }, false))).toEqual([
    "force: Forbidden: may not be specified for non-apply patch",
  ]);
  expect(texts(validatePatchOptions({}, true))).toEqual([
    "fieldManager: Required value: is required for apply patch",
  ]);
  expect(validatePatchOptions({ fieldManager: "m", force: true }, true)).toEqual([]);
});

test.each([
  [{}, 0],
  [{ resourceVersionMatch: "Exact", resourceVersion: "5" }, 0],
  [{ resourceVersionMatch: "NotOlderThan", resourceVersion: "0" }, 0],
  [{ resourceVersionMatch: "Exact", resourceVersion: "0" }, 1],
  [{ resourceVersionMatch: "Exact" }, 1],
  [{ resourceVersionMatch: "Odd", resourceVersion: "5" }, 1],
  [{ resourceVersionMatch: "Exact", resourceVersion: "5", continue: "x" }, 1],
  [{ resourceVersionMatch: "Exact", resourceVersion: "5", watch: true }, 1],
])("list options %j have %i problems", (options, count) => {
  expect(validateListOptions(options)).toHaveLength(count);
});

test("label selectors in objects", () => {
  const path = FieldPath.of("spec", "selector");
  expect(validateLabelSelector(undefined, path)).toEqual([]);
  expect(
    texts(
      validateLabelSelector(
        {
          matchExpressions: [
            { key: "a", operator: "In" },
            { key: "b", operator: "Exists", values: ["x"] },
            { key: "c", operator: "Odd" },
          ],
        },
        path,
      ),
    ),
  ).toEqual([
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    'spec.selector.matchExpressions[2].operator: Invalid value: "Odd": not a valid selector operator',
  ]);
});
