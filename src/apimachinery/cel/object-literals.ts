import { expressionLengthMax } from "./parse-cel.js";
import { unusedWords } from "./reserved-words.js";

/**
 * An expression rewritten in syntax that the parser reads: `Object.spec{a: 1}` as `Object.spec({a: 1})`, a field named like a reserved
 * word in quotes, `[?a]` as `[ a]`, and `.5` as `0.5`.
 */
export interface RewrittenLiterals {
  readonly text: string;
  /**
   * Optional entries of literals, by the offset of the literal's bracket: the offset of the question mark, by the index of the entry. All
   * offsets are in `text`.
   */
  readonly optionals: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** The offset in the original expression. */
  originalOffset(offset: number): number;
}

const typeNames = /(?:^|[^\w.])((?:Object(?:\s*\.\s*\w+)*|JSONPatch)\s*)$/;
const reservedField = new RegExp(`^(?:${unusedWords.join("|")})(?=\\s*:)`);
const startsWithPoint = /(?:^|[^\w\s)\]}"'])\s*\.\d/;
/** The last character of a name, a literal or brackets. */
const valueEnd = /[\w)\]}"']/;
const endsWithIn = /(?:^|\W)in\s*$/;

const nameLengthMax = 512;

interface OpenBracket {
  /** Where it is in the rewritten text. */
  readonly at: number;
  readonly opens: "object" | "literal" | "other";
  /** Entries so far. */
  entries: number;
}

/**
 * Rewrites optional entries, and with `withObjects` the literals of the types `Object` and `JSONPatch` and of the types of the fields of
 * an object.
 */
export function rewriteLiterals(text: string, withObjects: boolean): RewrittenLiterals {
  const hasNone = !withObjects && !text.includes("?") && !startsWithPoint.test(text);
  if (hasNone || text.length > expressionLengthMax) {
    return { text, optionals: new Map(), originalOffset: (offset) => offset };
  }
  return new LiteralRewriter(text, withObjects).rewritten();
}

class LiteralRewriter {
  readonly #text: string;
  readonly #withObjects: boolean;
  #at = 0;
  #made = "";
  /** Offsets in `#made` of characters that the expression does not have. */
  readonly #inserted: number[] = [];
  readonly #optionals = new Map<number, Map<number, number>>();
  readonly #open: OpenBracket[] = [];
  /** The last character that is not a space. */
  #last = "";

  constructor(text: string, withObjects: boolean) {
    this.#text = text;
    this.#withObjects = withObjects;
  }

  rewritten(): RewrittenLiterals {
    while (this.#at < this.#text.length) {
      if (!this.#copyQuoted() && !this.#quoteReservedField()) this.#copySign(this.#text[this.#at] ?? "");
    }
    const inserted = this.#inserted;
    return {
      text: this.#made,
      optionals: this.#optionals,
      originalOffset: (offset) => offset - inserted.filter((place) => place < offset).length,
    };
  }

  #copyQuoted(): boolean {
    const length = quotedLength(this.#text, this.#at);
    if (length === 0) return false;
    this.#made += this.#text.slice(this.#at, this.#at + length);
    if (!this.#text.startsWith("//", this.#at)) this.#last = this.#text[this.#at] ?? "";
    this.#at += length;
    return true;
  }

  #quoteReservedField(): boolean {
    if (this.#open.at(-1)?.opens !== "object" || !/[{,?]/.test(this.#last)) return false;
    const [word] = reservedField.exec(this.#text.slice(this.#at, this.#at + nameLengthMax)) ?? [];
    if (word === undefined) return false;
    this.#insert('"');
    this.#made += word;
    this.#insert('"');
    this.#last = "e"; // a letter
    this.#at += word.length;
    return true;
  }

  #copySign(sign: string): void {
    if (sign === "{" || sign === "[" || sign === "(") this.#opens(sign);
    if (sign === "." && this.#isBareFraction()) this.#insert("0");
    const within = this.#open.at(-1);
    if (sign === "," && within !== undefined) within.entries++;
    if (sign === "?" && within !== undefined && within.opens !== "other" && /[{[,]/.test(this.#last)) {
      this.#markOptional(within);
    } else this.#made += sign;
    const isClosing = sign === "}" || sign === ")" || sign === "]";
    if (isClosing && this.#open.pop()?.opens === "object") this.#insert(")");
    if (sign.trim() !== "") this.#last = sign;
    this.#at++;
  }

  #opens(bracket: "{" | "[" | "("): void {
    let opens: OpenBracket["opens"] = "other";
    if (bracket === "{") opens = this.#isBehindTypeName() ? "object" : "literal";
    if (bracket === "[" && !this.#isIndex()) opens = "literal";
    if (opens === "object") this.#insert("(");
    this.#open.push({ at: this.#made.length, opens, entries: 0 });
  }

  #isBehindTypeName(): boolean {
    const isNear = this.#withObjects && /[\w\s]/.test(this.#text[this.#at - 1] ?? "");
    return isNear && this.#isBehind(typeNames);
  }

  /** Whether a bracket selects from the value before it. */
  #isIndex(): boolean {
    return valueEnd.test(this.#last) && !(this.#last === "n" && this.#isBehind(endsWithIn));
  }

  #isBareFraction(): boolean {
    return /\d/.test(this.#text[this.#at + 1] ?? "") && !valueEnd.test(this.#last);
  }

  #markOptional({ at, entries }: OpenBracket): void {
    const marks = this.#optionals.get(at) ?? new Map<number, number>();
    this.#optionals.set(at, marks.set(entries, this.#made.length));
    this.#made += " ";
  }

  /** A name is short; what is before it does not matter. */
  #isBehind(pattern: RegExp): boolean {
    return pattern.test(this.#text.slice(Math.max(0, this.#at - nameLengthMax), this.#at));
  }

  #insert(sign: string): void {
    this.#inserted.push(this.#made.length);
    this.#made += sign;
  }
}

/** The length of the text or comment that begins at `at`; 0 where none does. */
export function quotedLength(text: string, at: number): number {
  if (text.startsWith("//", at)) {
    const end = text.indexOf("\n", at);
    return (end < 0 ? text.length : end) - at;
  }
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return 0;
  const fence = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const isRaw = /[rR]/.test(text[at - 1] ?? "");
  for (let end = at + fence.length; end < text.length; end++) {
    if (text[end] === "\\" && !isRaw) end++;
    else if (text.startsWith(fence, end)) return end + fence.length - at;
  }
  return text.length - at;
}
