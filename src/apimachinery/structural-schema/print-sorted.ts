import { printJsonString, printScalar, unparsedText } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";

/** JSON with sorted keys, so that equal values have equal texts. Undefined members are left out. */
export function printSorted(value: JsonValue): string {
  const scalar = printScalar(value, printJsonString);
  if (scalar !== undefined) return scalar;
  if (Array.isArray(value)) return `[${printItems(value)}]`;
  const object = value as { readonly [name: string]: JsonValue }; // neither a scalar nor a list
  const members = printMembers(object);
  return (members === "" ? unparsedText(object) : undefined) ?? `{${members}}`;
}

/** The members of an object except those with the given names, without braces. */
export function printMembers(
  object: { readonly [name: string]: JsonValue },
  except?: ReadonlySet<string>,
): string {
  const names = sortedNames(object);
  let out = "";
  let run: string[] | undefined;
  for (const name of names) {
    const member = object[name];
    if (member === undefined || except?.has(name) === true) continue;
    const text = `${printJsonString(name)}:${printSorted(member)}`;
    if (names.length <= runLength) {
      out += out === "" ? text : `,${text}`;
      continue;
    }
    run ??= [];
    run.push(text);
    if (run.length === runLength) {
      out = withRun(out, run);
      run = undefined;
    }
  }
  return run === undefined ? out : withRun(out, run);
}

/**
 * How many texts are joined at a time. Concatenated one by one, tens of thousands would all survive until they are flattened, and
 * collecting them took longer than printing (measured: 20 ms for 24,000 items).
 */
const runLength = 128;

function printItems(items: readonly JsonValue[]): string {
  let out = "";
  if (items.length <= runLength) {
    for (const item of items) out += out === "" ? printSorted(item) : `,${printSorted(item)}`;
    return out;
  }
  for (let from = 0; from < items.length; from += runLength) {
    out = withRun(out, items.slice(from, from + runLength).map(printSorted));
  }
  return out;
}

function withRun(out: string, run: readonly string[]): string {
  return out === "" ? run.join(",") : `${out},${run.join(",")}`;
}

/** Most objects are sorted already, and checking costs less than sorting. */
function sortedNames(object: object): string[] {
  const names = Object.keys(object);
  for (let index = 1; index < names.length; index++) {
    if ((names[index - 1] ?? "") > (names[index] ?? "")) return names.sort();
  }
  return names;
}
