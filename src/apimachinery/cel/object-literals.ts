import { expressionLengthMax } from "./parse-cel.js";

/**
 * An expression in syntax that the parser reads: `Object.spec{a: 1}` as `Object.spec({a: 1})`, a field whose name is a reserved word in
 * quotes, `[?a]` as `[ a]`, and `.5` as `0.5`.
 */
export interface RewrittenLiterals {
  readonly text: string;
  /**
   * The optional entries of literals: where each question mark stood in `text`, by the index of its entry, by where the bracket of the
   * literal is in `text`.
   */
  readonly optionals: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** The place in the expression as it was written. */
  originalOffset(offset: number): number;
}

const typeNames = /(?:^|[^\w.])((?:Object(?:\s*\.\s*\w+)*|JSONPatch)\s*)$/;
const reservedField =
  /^(?:as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)(?=\s*:)/;
const startsWithPoint = /(?:^|[^\w\s)\]}"'])\s*\.\d/;
const endsWithIn = /(?:^|\W)in\s*$/;

interface OpenBracket {
  /** Where it is in the rewritten text. */
  readonly at: number;
  readonly opens: "object" | "literal" | "other";
  /** The entries before the next sign. */
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
  const inserted: number[] = [];
  const optionals = new Map<number, Map<number, number>>();
  const open: OpenBracket[] = [];
  /** The last character that is not a space. */
  let last = "";
  let made = "";
  let at = 0;
  while (at < text.length) {
    const quoted = quotedLength(text, at);
    if (quoted > 0) {
      made += text.slice(at, at + quoted);
      if (!text.startsWith("//", at)) last = text[at] ?? "";
      at += quoted;
      continue;
    }
    const sign = text[at] ?? "";
    // A name is short; what is before it does not matter.
    const before = (pattern: RegExp) => pattern.test(text.slice(Math.max(0, at - nameLengthMax), at));
    if (sign === "{") {
      const isObject = withObjects && /[\w\s]/.test(text[at - 1] ?? "") && before(typeNames);
      if (isObject) {
        inserted.push(made.length);
        made += "(";
      }
      open.push({ at: made.length, opens: isObject ? "object" : "literal", entries: 0 });
    }
    if (sign === "[") {
      const isIndex = /[\w)\]}"']/.test(last) && !(last === "n" && before(endsWithIn));
      open.push({ at: made.length, opens: isIndex ? "other" : "literal", entries: 0 });
    }
    if (sign === "(") open.push({ at: made.length, opens: "other", entries: 0 });
    const within = open.at(-1);
    const word =
      within?.opens === "object" && /[{,?]/.test(last)
        ? reservedField.exec(text.slice(at, at + nameLengthMax))
        : null;
    if (word !== null) {
      inserted.push(made.length, made.length + word[0].length + 1);
      made += `"${word[0]}"`;
      last = "e";
      at += word[0].length;
      continue;
    }
    if (sign === "." && /\d/.test(text[at + 1] ?? "") && !/[\w)\]}"']/.test(last)) {
      inserted.push(made.length);
      made += "0";
    }
    if (sign === "," && within !== undefined) within.entries++;
    if (sign === "?" && within !== undefined && within.opens !== "other" && /[{[,]/.test(last)) {
      const entries = optionals.get(within.at) ?? new Map<number, number>();
      optionals.set(within.at, entries.set(within.entries, made.length));
      made += " ";
    } else made += sign;
    if ((sign === "}" || sign === ")" || sign === "]") && open.pop()?.opens === "object") {
      inserted.push(made.length);
      made += ")";
    }
    if (sign.trim() !== "") last = sign;
    at++;
  }
  return {
    text: made,
    optionals,
    originalOffset: (offset) => offset - inserted.filter((place) => place < offset).length,
  };
}

const nameLengthMax = 512;

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
