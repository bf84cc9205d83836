import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { isObject } from "../../../apimachinery/collections/is-record.js";
import { printValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";

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

/** What an update changes: `-` is `before`, except for levels before 1.24. */
export function printChange(before: object, after: object, level: ApiLevel): string {
  return isAtLeast(level, "1.24") ? printDifference(before, after) : printDifference(after, before);
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
