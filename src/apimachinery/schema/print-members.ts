import { printJsonString } from "../json-print.js";
import type { TypeMeta } from "./codec.js";
import { sortedKeys } from "./object-members.js";

// JSON text that generated printers put together.

/** An absent text is printed as an empty one. */
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

/** An object of these members, after those of its type. */
export function printWithType({ kind, apiVersion }: TypeMeta, members: string): string {
  const head = `{"kind":${printJsonString(kind)},"apiVersion":${printJsonString(apiVersion)}`;
  return members === "" ? `${head}}` : `${head},${members}}`;
}
