import { Buffer } from "node:buffer";
import { requestTooLarge } from "../../apimachinery/errors/status.js";
import { percentDecode } from "../../apimachinery/requests/percent-decode.js";
import type { QueryParameters } from "../../request/query-parameters.js";

const valuesMax = 5000;

/**
 * A query with possibly hundreds of thousands of parameters: the text is searched for the requested names, and nothing else is decoded or
 * kept.
 */
export class LongQuery implements QueryParameters {
  readonly #text: string;
  readonly #first = new Map<string, string | null>();
  readonly #all = new Map<string, string[]>();

  constructor(query: string) {
    // `URLSearchParams` ignores it too.
    this.#text = query.startsWith("?") ? query.slice(1) : query;
  }

  get(name: string): string | null {
    let value = this.#first.get(name);
    if (value !== undefined) return value;
    const { done, value: found } = this.#values(name).next();
    value = done === true ? null : found;
    this.#first.set(name, value);
    return value;
  }

  /** Throws 413 for more values than any real client sends. */
  getAll(name: string): string[] {
    let values = this.#all.get(name);
    if (values === undefined) {
      values = [];
      for (const value of this.#values(name)) {
        if (values.length === valuesMax) {
          throw requestTooLarge(`the query has more than ${valuesMax} parameters ${JSON.stringify(name)}`);
        }
        values.push(value);
      }
      this.#all.set(name, values);
    }
    return values;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  *#values(name: string): Generator<string, undefined> {
    const text = this.#text;
    const pattern = patternOf(name);
    for (let from = 0; ; ) {
      // The pattern is shared: its position is set for each search.
      pattern.lastIndex = from;
      if (!pattern.test(text)) return undefined;
      const start = pattern.lastIndex;
      const end = text.indexOf("&", start);
      from = end < 0 ? text.length : end;
      yield text[start] === "=" ? decoded(text.slice(start + 1, from)) : "";
    }
  }
}

const patterns = new Map<string, RegExp>();

/** Matches a parameter up to the end of its name. */
function patternOf(name: string): RegExp {
  let pattern = patterns.get(name);
  if (pattern === undefined) {
    // Each character literally or percent-encoded, in one expression: decoding every name would take long.
    const characters = [...name].map((character) => {
      const code = character.charCodeAt(0).toString(16);
      return `(?:\\x${code}|%${code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
    });
    pattern = new RegExp(`(?:^|&)${characters.join("")}(?=[=&]|$)`, "g");
    patterns.set(name, pattern);
  }
  return pattern;
}

const plus = 0x2b;
const space = 0x20;

function decoded(value: string): string {
  return percentDecode(value.includes("+") ? spacesForPlusSigns(value) : value);
}

/** Strings' own methods take a tenth of a second for a megabyte of plus signs. */
function spacesForPlusSigns(text: string): string {
  const bytes = Buffer.from(text);
  for (let at = bytes.indexOf(plus); at < bytes.length; at++) if (bytes[at] === plus) bytes[at] = space;
  return bytes.toString();
}
