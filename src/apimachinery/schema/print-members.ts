import { printJsonString } from "../json/json-print.js";
import type { TypeMeta } from "./codec.js";
import { sortedKeys } from "./object-members.js";

// Used by generated printers.

/** An absent string prints as an empty one. */
export function printString(text: string | null | undefined): string {
  return text ? printJsonString(text) : '""';
}

export function printStringList(list: readonly string[]): string {
  let out = "";
  for (const item of list) out += out === "" ? printString(item) : `,${printString(item)}`;
  return `[${out}]`;
}

export function printStringMap(map: { readonly [key: string]: string }): string {
  let out = "";
  for (const key of sortedKeys(map)) {
    const entry = `${printString(key)}:${printString(map[key])}`;
    out += out === "" ? entry : `,${entry}`;
  }
  return `{${out}}`;
}

/** Prints an object from its type and its other members. */
export function printWithType(type: TypeMeta, members: string): string {
  const head = printTypeMembers(type);
  return members === "" ? `${head}}` : `${head},${members}}`;
}

/** Without a comma behind: `{"kind":"Pod","apiVersion":"v1"`. */
export function printTypeMembers({ kind, apiVersion }: TypeMeta): string {
  return `{"kind":${printJsonString(kind)},"apiVersion":${printJsonString(apiVersion)}`;
}
