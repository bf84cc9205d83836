import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { IDRange, RunAsGroupStrategyOptions } from "../../gen/policy-v1beta1.js";
import { policyV1beta1Types } from "../v1beta1/types.js";

const rangeRules = fieldRules<IDRange>(policyV1beta1Types, "IDRange");
const groupRules = fieldRules<RunAsGroupStrategyOptions>(policyV1beta1Types, "RunAsGroupStrategyOptions");

interface RuleWithRanges {
  readonly rule?: string | undefined;
  readonly ranges?: readonly IDRange[] | undefined;
}

/** A rule for user or group IDs. `rules` in alphabetical order. */
export function validateIdRule(
  { rule = "", ranges = [] }: RuleWithRanges,
  rules: readonly string[],
  path: FieldPath,
): FieldError[] {
  return [
    ...(rules.includes(rule) ? [] : [notSupported(path.child("rule"), rule, rules)]),
    ...validateRanges(ranges, path.child("ranges")),
  ];
}

/** Unlike for other IDs, the rule decides whether ranges are required. */
export function validateRunAsGroup(
  options: RunAsGroupStrategyOptions | undefined,
  path: FieldPath,
): FieldError[] {
  if (options === undefined) return [];
  const { rule, ranges = [] } = options;
  const rangesPath = path.child("ranges");
  switch (rule) {
    case "RunAsAny":
      return ranges.length === 0 ? [] : [invalid(rangesPath, printRanges(ranges), "Ranges must be empty")];
    case "MustRunAs":
    case "MayRunAs":
      return ranges.length === 0
        ? [invalid(rangesPath, printRanges(ranges), "must provide at least one range")]
        : validateRanges(ranges, rangesPath);
    default:
      return groupRules.check(options, path, "rule");
  }
}

function validateRanges(ranges: readonly IDRange[], path: FieldPath): FieldError[] {
  return ranges.flatMap((range, index) => {
    const { min, max } = range;
    const at = path.index(index);
    const errors = rangeRules.check(range, at, "min", "max");
    if (min > max) errors.push(invalid(at.child("min"), min, "min cannot be greater than max"));
    return errors;
  });
}

function printRanges(ranges: readonly IDRange[]): PrintedValue {
  if (ranges.length === 0) return new PrintedValue("[]policy.IDRange(nil)");
  const items = ranges.map(({ min, max }) => `policy.IDRange{Min:${min}, Max:${max}}`);
  return new PrintedValue(`[]policy.IDRange{${items.join(", ")}}`);
}
