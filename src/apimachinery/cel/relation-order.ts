import { quotedLength } from "./object-literals.js";
import type { CelNode } from "./parse-cel.js";

type Relation = Extract<CelNode, { op: "<" | "<=" | ">" | ">=" | "in" }>;

/**
 * The relation that is the right operand of `==` or `!=`, unless it is in parentheses. These operators have one precedence and associate
 * to the left, but the parser reads `a == b < c` as `a == (b < c)`. Source: cel-spec, "Syntax".
 */
export function bareRelation(
  parentheses: () => Parentheses,
  left: CelNode,
  right: CelNode,
): Relation | undefined {
  switch (right.op) {
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
      return parentheses().areAround(right, left.end) ? undefined : right;
    default:
      return undefined;
  }
}

/** The parentheses of an expression. */
export class Parentheses {
  readonly #text: string;
  /** Where each ends, by where it begins. */
  readonly #ends = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
    const open: number[] = [];
    for (let at = 0; at < text.length; ) {
      const quoted = quotedLength(text, at);
      if (quoted === 0 && text[at] === "(") open.push(at);
      if (quoted === 0 && text[at] === ")") this.#ends.set(open.pop() ?? at, at);
      at += Math.max(1, quoted);
    }
  }

  /** Whether a node is in parentheses that begin at `from` or later. */
  areAround({ start, end }: CelNode, from: number): boolean {
    for (
      let at = this.#text.indexOf("(", from);
      at >= 0 && at < start;
      at = this.#text.indexOf("(", at + 1)
    ) {
      if ((this.#ends.get(at) ?? 0) >= end) return true;
    }
    return false;
  }
}
