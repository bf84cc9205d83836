import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { isObject } from "../../../apimachinery/collections/is-record.js";
import { printValue } from "../../../apimachinery/errors/printed-value.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { internalLines } from "../../checks/internal-form.js";
import { unifiedDifference } from "../../checks/unified-difference.js";
import type { ApiContext } from "../../definition/api-context.js";

/**
 * A readable diff of two objects, nested like the objects. `-` is `left`, `+` is `right`.
 *
 *       {
 *         containers: [
 *           0: {
 *     -       workingDir: "/a"
 *     +       workingDir: "/b"
 *           }
 */
export function printDifference(left: object, right: object): string {
  const lines = ["  {"];
  differenceLines(left, right, "\t", lines);
  lines.push("  }");
  return lines.join("\n");
}

/** The level decides how changes are shown. */
export type ChangeContext = Pick<ApiContext, "level" | "schemas">;

/** What an update changes in an object of the type: `-` is `before`, except for levels before 1.24. */
export function printChange<T extends object>(
  context: ChangeContext,
  type: string,
  before: T,
  after: T,
): string {
  if (isAtLeast(context.level, "1.34")) return changedLines(context, type, before, after);
  return isAtLeast(context.level, "1.24") ? printDifference(before, after) : printDifference(after, before);
}

/** The same, line by line, as since 1.34. */
function changedLines<T extends object>(
  { schemas }: ChangeContext,
  type: string,
  before: T,
  after: T,
): string {
  return unifiedDifference(internalLines(schemas, type, before), internalLines(schemas, type, after));
}

function differenceLines(left: object, right: object, indent: string, lines: string[]): void {
  const leftFields = new Map<string, unknown>(Object.entries(left));
  const rightFields = new Map<string, unknown>(Object.entries(right));
  for (const name of new Set([...leftFields.keys(), ...rightFields.keys()])) {
    const was = leftFields.get(name);
    const is = rightFields.get(name);
    if (isDeepEqual(was, is)) continue;
    if (isObject(was) && isObject(is) && Array.isArray(was) === Array.isArray(is)) {
      const [open, close] = Array.isArray(was) ? ["[", "]"] : ["{", "}"];
      lines.push(`  ${indent}${name}: ${open}`);
      differenceLines(was, is, `${indent}\t`, lines);
      lines.push(`  ${indent}${close}`);
    } else {
      if (was !== undefined) lines.push(`- ${indent}${name}: ${printValue(was)}`);
      if (is !== undefined) lines.push(`+ ${indent}${name}: ${printValue(is)}`);
    }
  }
}
