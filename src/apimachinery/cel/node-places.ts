import type { CelNode } from "./parse-cel.js";

export const operators: Readonly<Record<string, string>> = {
  "==": "_==_",
  "!=": "_!=_",
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  "+": "_+_",
  "-": "_-_",
  "*": "_*_",
  "/": "_/_",
  "%": "_%_",
  in: "@in",
  "!_": "!_",
  "-_": "-_",
};

/** The position of the operator, or of the bracket of a call, as other implementations report it. */
export function placeOf(node: CelNode, text: string): number {
  switch (node.op) {
    case ".":
      return Math.max(0, text.lastIndexOf(".", node.pos));
    case "call":
      return next(text, "(", node.pos, node);
    case "rcall":
      return next(text, "(", node.args[1].end, node);
    case "[]":
      return next(text, "[", node.args[0].end, node);
    case "?:":
      return next(text, "?", node.args[0].end, node);
  }
  const left = node.op in operators || node.op === "||" || node.op === "&&" ? node.args : undefined;
  if (!Array.isArray(left) || left.length !== 2) return node.pos;
  const [first] = left as readonly CelNode[]; // of a binary operator
  return first === undefined ? node.pos : next(text, node.op, first.end, node);
}

function next(text: string, sign: string, from: number, { pos }: CelNode): number {
  const found = text.indexOf(sign, from);
  return found < 0 ? pos : found;
}

/** The name of a chain of field selections: `google.protobuf.Timestamp`. */
export function qualifiedName(node: CelNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op !== ".") return undefined;
  const before = qualifiedName(node.args[0]);
  return before === undefined ? undefined : `${before}.${node.args[1]}`;
}
