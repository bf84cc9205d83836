import { printJson } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";
import { quotedStart } from "./quoted-text.js";

/** How errors show structures. */
export type Notation = "go" | "json";

/** A bad value with a given text, because Kubernetes prints structures in Go's notation. */
export class PrintedValue {
  readonly #print: () => string;
  readonly #json: (() => string | undefined) | undefined;

  /** Pass a function for text that is long and rarely shown. Without `json`, JSON shows `text`. */
  constructor(text: string | (() => string), json?: JsonValue | (() => string | undefined)) {
    this.#print = typeof text === "string" ? () => text : text;
    if (json !== undefined) this.#json = typeof json === "function" ? json : () => printJson(json);
  }

  get text(): string {
    return this.#print();
  }

  /** Undefined where JSON has the same text. */
  get json(): string | undefined {
    return this.#json?.();
  }
}

/** An answer repeats a bad value several times, and encrypting megabytes takes long too. */
export const shownCharactersMax = 64 * 1024;

/** The text, with an ellipsis in place of what is beyond 64 Ki characters. */
export function shortened(text: string): string {
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}

/** The text in quotes, no longer than a shortened one although an escape takes up to ten characters. */
export function quotedShortened(text: string): string {
  return quotedStart(text, shownCharactersMax);
}

/** Set within `printingListsOnce`. */
let printedLists: Map<readonly string[], string> | undefined;

/** Caches the printed form of lists, for printing many values among which one long list may occur often. */
export function printingListsOnce<T>(print: () => T): T {
  printedLists = new Map();
  try {
    return print();
  } finally {
    printedLists = undefined;
  }
}

function printStrings(items: readonly string[]): string {
  const known = printedLists?.get(items);
  if (known !== undefined) return known;
  const text = listText(items);
  printedLists?.set(items, text);
  return text;
}

/** Prints no more of a long list than is shown. */
function listText(items: readonly string[]): string {
  let text = "[]string{";
  for (const [index, item] of items.entries()) {
    if (text.length > shownCharactersMax) return shortened(text);
    text += `${index === 0 ? "" : ", "}${quotedShortened(item)}`;
  }
  return shortened(`${text}}`);
}

/**
 * Bad values as Kubernetes prints them: strings quoted, scalars bare, structures in a notation. In Go's, lists of strings have their type, absent
 * values are quoted, and what has no text of its own is JSON. Long ones are shortened.
 */
export function printValue(value: unknown, notation: Notation = "go"): string {
  if (typeof value === "string") return quotedShortened(value);
  if (value instanceof PrintedValue) {
    return shortened((notation === "json" ? value.json : undefined) ?? value.text);
  }
  if (value === undefined || value === null) return notation === "json" ? "null" : '"null"';
  if (typeof value === "bigint") return value.toString();
  if (
    notation === "go" &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "string")
  ) {
    return printStrings(value);
  }
  return shortened(JSON.stringify(value, (_key, v: unknown) => (typeof v === "bigint" ? Number(v) : v)));
}
