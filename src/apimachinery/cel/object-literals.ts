/** An expression whose object literals are written as calls, which the parser reads: `Object.spec{a: 1}` as `Object.spec({a: 1})`. */
export interface RewrittenLiterals {
  readonly text: string;
  /** Where the names of optional members begin in `text`: those after a question mark, `Object{?a: b}`. */
  readonly optionals: ReadonlySet<number>;
  /** The place in the expression as it was written. */
  originalOffset(offset: number): number;
}

const typeNames = /(?:^|[^\w.])((?:Object(?:\s*\.\s*\w+)*|JSONPatch)\s*)$/;

/** Literals of the types `Object` and `JSONPatch`, and of the types of the fields of an object. */
export function rewriteLiterals(text: string): RewrittenLiterals {
  const inserted: number[] = [];
  const optionals = new Set<number>();
  /** For each open bracket, whether it opens a literal. */
  const open: boolean[] = [];
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
    if (sign === "{") {
      // A name is short; what is before it does not matter.
      const isLiteral =
        /[\w\s]/.test(text[at - 1] ?? "") && typeNames.test(text.slice(Math.max(0, at - nameLengthMax), at));
      if (isLiteral) {
        inserted.push(made.length);
        made += "(";
      }
      open.push(isLiteral);
    }
    if (sign === "(" || sign === "[") open.push(false);
    if (sign === "?" && open.at(-1) === true && (last === "{" || last === ",")) {
      const spaces = /^\s*/.exec(text.slice(at + 1, at + 1 + nameLengthMax))?.[0].length ?? 0;
      made += " ";
      optionals.add(made.length + spaces);
    } else made += sign;
    if ((sign === "}" || sign === ")" || sign === "]") && open.pop() === true) {
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
function quotedLength(text: string, at: number): number {
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
