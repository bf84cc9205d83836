import { printValue } from "../../apimachinery/field-error.js";

/** What changed between two objects, a line for each field: `-` as it was, `+` as it would be. */
export function printChanges(before: object, after: object): string {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  const lines: string[] = [];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [from, to] = [printValue(was.get(name)), printValue(is.get(name))];
    if (from === to) continue;
    if (was.get(name) !== undefined) lines.push(`- \t${name}: ${from}`);
    if (is.get(name) !== undefined) lines.push(`+ \t${name}: ${to}`);
  }
  return lines.join("\n");
}
