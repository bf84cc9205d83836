import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import type { IDRange } from "../../apis/gen/policy-v1beta1.js";

/** 64 bits, of which most fit a number. */
export type Id = number | bigint;

/** A rule for user or group ids, as policies state it. */
export interface IdRule {
  readonly rule?: string | undefined;
  readonly ranges?: readonly IDRange[] | undefined;
}

/** A compiled rule for groups. */
export interface GroupRule {
  /** The default group; undefined sets none. */
  readonly usual: Id | undefined;
  problems(groups: readonly Id[], path: FieldPath): readonly FieldError[];
}

/** Undefined for an unusable rule: one that is unknown or lacks ranges. Without options, any group is allowed. */
export function groupRule(options: IdRule | undefined): GroupRule | undefined {
  const { rule, ranges = [] } = options ?? { rule: "RunAsAny" };
  if (rule === "RunAsAny") return { usual: undefined, problems: () => [] };
  if ((rule !== "MustRunAs" && rule !== "MayRunAs") || ranges.length === 0) return undefined;
  const isRequired = rule === "MustRunAs";
  return {
    usual: isRequired ? ranges[0]?.min : undefined,
    problems(groups, path) {
      if (groups.length === 0 && isRequired) {
        const why = "unable to validate empty groups against required ranges";
        return [invalid(path, printGroups(groups), why)];
      }
      return groups
        .filter((group) => !isInRanges(group, ranges))
        .map((group) =>
          invalid(path, printGroups(groups), `group ${group} must be in the ranges: ${printRanges(ranges)}`),
        );
    },
  };
}

export function isInRanges(id: Id, ranges: readonly IDRange[]): boolean {
  return ranges.some(({ min, max }) => id >= min && id <= max);
}

export function printRanges(ranges: readonly IDRange[]): string {
  return `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(" ")}]`;
}

function printGroups(groups: readonly Id[]): PrintedValue {
  return new PrintedValue(groups.length === 0 ? "[]int64(nil)" : `[]int64{${groups.join(", ")}}`);
}
