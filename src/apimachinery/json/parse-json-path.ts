import type { JsonValue } from "./json-value.js";

export type Step =
  | { readonly kind: "names"; readonly names: readonly string[] }
  | { readonly kind: "indexes"; readonly indexes: readonly number[] }
  | { readonly kind: "slice"; readonly from?: number; readonly to?: number; readonly by: number }
  | { readonly kind: "every" }
  | { readonly kind: "descendants" }
  | { readonly kind: "filter"; readonly path: readonly Step[]; readonly compare?: Comparison };

export interface Comparison {
  readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly literal: JsonValue;
}

/** Throws an `Error` for text that is not a path. */
export function parseJsonPath(text: string): readonly Step[] {
  return new PathParser(text).path();
}

/** No real path is longer. */
const textMax = 4096;

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (text.length > textMax) throw new Error("the path is too long");
    this.#text = text;
  }

  path(): readonly Step[] {
    if (this.#peek() === "$") this.#at++;
    return this.#steps(() => this.#at >= this.#text.length);
  }

  #steps(isEnd: () => boolean): Step[] {
    const steps: Step[] = [];
    while (!isEnd()) {
      if (this.#take("..")) {
        steps.push({ kind: "descendants" });
        if (this.#peek() !== "[") steps.push(this.#name());
      } else if (this.#take(".")) {
        if (this.#peek() !== "[" && this.#peek() !== "") steps.push(this.#name());
      } else if (this.#take("[")) {
        steps.push(this.#bracket());
      } else {
        throw this.#error("expected . or [");
      }
    }
    return steps;
  }

  #name(): Step {
    if (this.#take("*")) return { kind: "every" };
    let name = "";
    for (;;) {
      const character = this.#peek();
      if (character === "\\") {
        name += this.#text[this.#at + 1] ?? "";
        this.#at += 2;
      } else if (character === "" || ".[]()=!<>, \t".includes(character)) {
        break;
      } else {
        name += character;
        this.#at++;
      }
    }
    if (name === "") throw this.#error("expected a name");
    return { kind: "names", names: [name] };
  }

  #bracket(): Step {
    this.#space();
    if (this.#take("?(")) return this.#filter();
    if (this.#take("*")) return this.#closed({ kind: "every" });
    if (this.#peek() === "'" || this.#peek() === '"') {
      return this.#closed({ kind: "names", names: this.#list(() => this.#quoted()) });
    }
    const rest = /(-?\d+)?\s*:\s*(-?\d+)?(?:\s*:\s*(\d+))?/y;
    rest.lastIndex = this.#at;
    const slice = rest.exec(this.#text);
    if (slice !== null) {
      this.#at = rest.lastIndex;
      const [, from, to, by] = slice;
      return this.#closed({
        kind: "slice",
        ...(from !== undefined && { from: Number(from) }),
        ...(to !== undefined && { to: Number(to) }),
        by: Math.max(1, Number(by ?? 1)),
      });
    }
    return this.#closed({ kind: "indexes", indexes: this.#list(() => this.#integer()) });
  }

  #filter(): Step {
    this.#space();
    if (!this.#take("@")) throw this.#error("expected @");
    const path = this.#steps(() => !".[".includes(this.#peek()) || this.#peek() === "");
    this.#space();
    const operator = this.#operator();
    const step: Step = {
      kind: "filter",
      path,
      ...(operator !== undefined && { compare: { operator, literal: this.#literal() } }),
    };
    this.#space();
    if (!this.#take(")")) throw this.#error("expected )");
    return this.#closed(step);
  }

  #operator(): Comparison["operator"] | undefined {
    for (const operator of ["==", "!=", "<=", ">=", "<", ">"] as const)
      if (this.#take(operator)) return operator;
    return undefined;
  }

  #literal(): JsonValue {
    this.#space();
    const character = this.#peek();
    if (character === '"' || character === "'") return this.#quoted();
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const)
      if (this.#take(word)) return value;
    const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = this.#at;
    const found = number.exec(this.#text);
    if (found === null) throw this.#error("expected a text or a number");
    this.#at = number.lastIndex;
    return Number(found[0]);
  }

  #quoted(): string {
    const quote = this.#peek();
    this.#at++;
    let text = "";
    for (;;) {
      const character = this.#peek();
      if (character === "") throw this.#error("unterminated quoted string");
      this.#at++;
      if (character === quote) return text;
      if (character === "\\") {
        text += this.#peek();
        this.#at++;
      } else {
        text += character;
      }
    }
  }

  #integer(): number {
    this.#space();
    const digits = /-?\d+/y;
    digits.lastIndex = this.#at;
    const found = digits.exec(this.#text);
    if (found === null) throw this.#error("expected an index");
    this.#at = digits.lastIndex;
    return Number(found[0]);
  }

  #list<T>(item: () => T): T[] {
    const items = [item()];
    for (;;) {
      this.#space();
      if (!this.#take(",")) return items;
      this.#space();
      items.push(item());
    }
  }

  #closed(step: Step): Step {
    this.#space();
    if (!this.#take("]")) throw this.#error("expected ]");
    return step;
  }

  #space(): void {
    while (this.#peek() === " " || this.#peek() === "\t") this.#at++;
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
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
