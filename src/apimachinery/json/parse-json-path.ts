/** One step from values to other values. */
export type Step =
  | { readonly kind: "name"; readonly name: string }
  | SliceStep
  | { readonly kind: "union"; readonly paths: readonly Path[] }
  | { readonly kind: "every" }
  | { readonly kind: "descendants" }
  | { readonly kind: "filter"; readonly path: Path; readonly compare?: Comparison }
  | LiteralStep
  /** A word such as `null` or `range`: it can be written, but no object fits it. */
  | { readonly kind: "word" };

export type Path = readonly Step[];

/** `[from:to:by]`, and an index as the slice of one item. */
export interface SliceStep {
  readonly kind: "slice";
  readonly isIndex: boolean;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly by: number | undefined;
}

export interface LiteralStep {
  readonly kind: "literal";
  readonly value: string | number | boolean;
  /** `1.0` is a fraction, which equals no integer. */
  readonly isFraction: boolean;
}

export interface Comparison {
  /** Any sequence of `!<>=`. */
  readonly operator: string;
  readonly right: Path;
}

/** No real path is longer. */
const textMax = 4096;

/** Throws an `Error` for text that is not a path. */
export function parseJsonPath(text: string): Path {
  if (text.length > textMax) throw new Error("the path is too long");
  // A path is the inside of a template's braces: what follows a closing one is not part of it.
  return new PathParser(`${text}}`).path();
}

/** What ends a name, unless a backslash is before it. */
const terminators = " \t\r\n.,[]$@{}";

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  path(): Path {
    const steps: Step[] = [];
    for (;;) {
      const character = this.#text[this.#at] ?? "";
      if (character === "}") return steps;
      if (this.#take("[?(")) {
        steps.push(this.#filter());
      } else if (this.#take("..")) {
        if (steps.at(-1)?.kind === "descendants") throw this.#error("repeated ..");
        steps.push({ kind: "descendants" });
        if (this.#isWord()) steps.push(this.#name());
      } else if (this.#take(".")) {
        steps.push(this.#name());
      } else if (this.#take("[")) {
        steps.push(...this.#bracket());
      } else if (character === " " || character === "@" || character === "$") {
        this.#at++;
      } else if (character === "'" || character === '"') {
        steps.push(this.#quoted(character));
      } else if (/[-+\d]/.test(character)) {
        steps.push(this.#number());
      } else if (this.#isWord()) {
        steps.push(this.#word());
      } else {
        throw this.#error("expected a step");
      }
    }
  }

  #name(): Step {
    const start = this.#at;
    while (!this.#isTerminated()) this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    const name = this.#text.slice(start, this.#at);
    return name === "*" ? { kind: "every" } : { kind: "name", name: name.replaceAll("\\", "") };
  }

  #word(): Step {
    const start = this.#at;
    while (!this.#isTerminated()) this.#at++;
    const word = this.#text.slice(start, this.#at);
    if (word !== "true" && word !== "false") return { kind: "word" };
    return { kind: "literal", value: word === "true", isFraction: false };
  }

  #bracket(): Path {
    const end = this.#text.indexOf("]", this.#at);
    const inside = this.#text.slice(this.#at, end);
    if (end < 0 || inside.includes("\n")) throw this.#error("expected ]");
    this.#at = end + 1;
    const parts = inside.split(",");
    if (parts.length === 1) return this.#selected(inside);
    return [{ kind: "union", paths: parts.map((part) => this.#selected(part.replace(/^ +| +$/g, ""))) }];
  }

  /** What is in brackets: `*`, `'name'`, whose dots separate names, or numbers. */
  #selected(text: string): Path {
    const [, names] = /^'([^']*)'$/.exec(text) ?? [];
    if (names !== undefined) return parseInside(`.${names}`);
    const numbers = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text === "*" ? ":" : text);
    if (numbers === null) throw this.#error("expected an index, a slice or a name in single quotes");
    const [, from = "", to, by] = numbers;
    return [
      {
        kind: "slice",
        isIndex: to === undefined,
        from: this.#integer(from),
        to: this.#integer(to?.slice(1)),
        by: this.#integer(by?.slice(1)),
      },
    ];
  }

  #integer(text = ""): number | undefined {
    if (text === "") return undefined;
    const number = Number(text);
    if (!Number.isSafeInteger(number)) throw this.#error("expected an integer");
    return number;
  }

  #filter(): Step {
    const text = this.#filterText();
    if (!this.#take("]")) throw this.#error("expected ]");
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+)$/.exec(text) ?? [];
    if (left === undefined || operator === undefined || right === undefined) {
      return { kind: "filter", path: parseInside(text) };
    }
    return { kind: "filter", path: parseInside(left), compare: { operator, right: parseInside(right) } };
  }

  /** Up to the parenthesis after the first quoted text, if there is any. */
  #filterText(): string {
    const start = this.#at;
    let quote: string | undefined;
    let isClosed = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? "";
      if (character === "\n") break;
      if (character === ")" && (quote === undefined || isClosed)) {
        return this.#text.slice(start, this.#at++);
      }
      if (character !== "'" && character !== '"') continue;
      if (quote === undefined) quote = character;
      else if (character === quote && this.#text[this.#at - 1] !== "\\") isClosed = true;
    }
    throw this.#error("expected )");
  }

  #quoted(quote: string): Step {
    const start = ++this.#at;
    for (;;) {
      this.#at = this.#text.indexOf(quote, this.#at);
      if (this.#at < 0) throw this.#error("unterminated quoted string");
      if (this.#text[this.#at++ - 1] !== "\\") break;
    }
    const value = unquoted(this.#text.slice(start, this.#at - 1));
    return { kind: "literal", value, isFraction: false };
  }

  #number(): Step {
    const [digits = ""] = /^[-+]?[\d.]*/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += digits.length;
    const value = Number(digits);
    if (!Number.isFinite(value) || !/\d/.test(digits)) throw this.#error("expected a number");
    return { kind: "literal", value, isFraction: digits.includes(".") };
  }

  #isTerminated(): boolean {
    return this.#at >= this.#text.length || terminators.includes(this.#text.charAt(this.#at));
  }

  #isWord(): boolean {
    const point = this.#text.codePointAt(this.#at);
    return point !== undefined && /[_\p{L}\p{Nd}]/u.test(String.fromCodePoint(point));
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #error(why: string): Error {
    return new Error(`${why} at position ${this.#at}`);
  }
}

function parseInside(text: string): Path {
  return new PathParser(`${text}}`).path();
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

function unquoted(text: string): string {
  if (text.includes("\n")) throw new Error("unterminated quoted string");
  return text.replace(/\\(.?)/gs, (_, escaped: string) => {
    const character = escapes[escaped];
    if (character === undefined) throw new Error(`unknown escape \\${escaped}`);
    return character;
  });
}
