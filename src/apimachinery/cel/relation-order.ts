import { quotedLength } from "./object-literals.js";
import type { CelNode } from "./parse-cel.js";

type Relation = Extract<CelNode, { op: "<" | "<=" | ">" | ">=" | "in" }>;

/**
 * The relation at the right of `==` or `!=`, if it is not in parentheses. All these operators bind equally from left to right, but the parser
 * reads `a == b < c` as `a == (b < c)`. Source: cel-spec, "Syntax".
 */
export function bareRelation(text: string, left: CelNode, right: CelNode): Relation | undefined {
  switch (right.op) {
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in": {
      const opened = text.slice(left.end, right.start).split("(").length - 1;
      return opened > closedWithin(text, right) ? undefined : right;
    }
    default:
      return undefined;
  }
}

/** How many parentheses end within a node that begin before it. */
function closedWithin(text: string, { start, end }: CelNode): number {
  let open = 0;
  let closed = 0;
  for (let at = start; at < end; ) {
    const quoted = quotedLength(text, at);
    if (quoted === 0 && text[at] === "(") open++;
    if (quoted === 0 && text[at] === ")" && --open < 0) {
      closed++;
      open = 0;
    }
    at += Math.max(1, quoted);
  }
  return closed;
}
