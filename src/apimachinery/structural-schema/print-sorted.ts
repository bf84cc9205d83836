import { printJsonString, unreadText } from "../json-print.js";
import type { JsonValue } from "../json-value.js";

/** JSON with sorted keys, so that equal values have equal texts. Undefined members are left out. */
export function printSorted(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return printJsonString(value);
    case "number":
      return Number.isFinite(value) ? `${value}` : "null";
    case "bigint":
    case "boolean":
      return `${value}`;
    default:
      if (value === null || value === undefined) return "null";
  }
  if (Array.isArray(value)) {
    let items = "";
    for (let index = 0; index < value.length; index++) {
      items += index === 0 ? printSorted(value[index]) : `,${printSorted(value[index])}`;
    }
    return `[${items}]`;
  }
  const members = printMembers(value as { readonly [name: string]: JsonValue });
  return (members === "" ? unreadText(value) : undefined) ?? `{${members}}`;
}

/** The members of an object except those with the given names, without braces. */
export function printMembers(
  object: { readonly [name: string]: JsonValue },
  except?: ReadonlySet<string>,
): string {
  let out = "";
  for (const name of sortedNames(object)) {
    const member = object[name];
    if (member === undefined || except?.has(name) === true) continue;
    out += `${out === "" ? "" : ","}${printJsonString(name)}:${printSorted(member)}`;
  }
  return out;
}

/** Most objects are sorted already, and checking costs less than sorting. */
function sortedNames(object: object): string[] {
  const names = Object.keys(object);
  for (let index = 1; index < names.length; index++) {
    if ((names[index - 1] ?? "") > (names[index] ?? "")) return names.sort();
  }
  return names;
}
