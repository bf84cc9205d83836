import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { HiddenAtLevel, SomeObjects } from "./hidden-at-level.js";

/** Maximum lines per resource: the schemas of a definition may have a field in many places. */
const entriesMax = 50;

/** The output of `store check --api-level`. */
export function levelReport(level: ApiLevel, { kinds, fields, unread }: HiddenAtLevel): string {
  const hidden = [
    ...[...kinds].map(([resource, objects]) => `  ${resource}: ${listed(objects)}\n`),
    ...linesOf(fields, (path, objects) => `${path}: ${listed(objects)}`),
  ];
  const untold = linesOf(unread, (reason, objects) => `${listed(objects)}: ${reason}`);
  const lines: string[] = [];
  if (hidden.length > 0) lines.push(`API level ${level} does not show:\n`, ...hidden);
  if (untold.length > 0) lines.push("not looked into:\n", ...untold);
  return lines.length === 0 ? `API level ${level} shows all of it\n` : lines.join("");
}

function linesOf(
  resources: ReadonlyMap<string, ReadonlyMap<string, SomeObjects>>,
  entry: (what: string, objects: SomeObjects) => string,
): string[] {
  return [...resources].flatMap(([resource, entries]) => {
    const first = [...entries].slice(0, entriesMax);
    const lines = first.map(([what, objects]) => `  ${resource} ${entry(what, objects)}\n`);
    const more = entries.size - first.length;
    return more > 0 ? [...lines, `  ${resource}: ${more} more\n`] : lines;
  });
}

function listed({ count, names }: SomeObjects): string {
  const more = count > names.length ? ", …" : "";
  return `${count} ${count === 1 ? "object" : "objects"} (${names.join(", ")}${more})`;
}
