import type { ParseResult } from "./option.js";

/**
 * The fields of one line of comma-separated values: `a,"b,c","say ""x"""`. An empty line has no fields. Source: Go
 * `encoding/csv`, as pflag's `strings` options read it.
 */
export function parseCommaSeparated(line: string): ParseResult<readonly string[]> {
  if (line === "") return { value: [] };
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const end = closingQuote(line, at);
      if (end === undefined) return { problem: `unclosed or stray quote in ${JSON.stringify(line)}` };
      fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const comma = line.indexOf(",", at);
      const field = line.slice(at, comma < 0 ? line.length : comma);
      if (field.includes('"')) return { problem: `bare quote in ${JSON.stringify(line)}` };
      fields.push(field);
      at += field.length;
    }
    if (at === line.length) return { value: fields };
    at += 1;
  }
}

/** The inverse: quotes only what needs it. */
export function formatCommaSeparated(fields: readonly string[]): string {
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/** Undefined when the quote never closes or is followed by anything but a comma. */
function closingQuote(line: string, open: number): number | undefined {
  for (let at = open + 1; at < line.length; at += 1) {
    if (line[at] !== '"') continue;
    if (line[at + 1] === '"') at += 1;
    else return at + 1 === line.length || line[at + 1] === "," ? at : undefined;
  }
  return undefined;
}
