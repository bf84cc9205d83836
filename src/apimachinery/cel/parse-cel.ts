import { createRequire } from "node:module";
import type { ASTNode } from "@marcbachmann/cel-js";
import { CelCompileError } from "./cel-error.js";

export type CelNode = ASTNode;

const textLengthMax = 32 * 1024;
const limits = { maxAstNodes: 5_000, maxDepth: 64, maxListElements: 1_000, maxMapEntries: 1_000 };

let parser: { parse(text: string): { readonly ast: CelNode } } | undefined;

/**
 * The syntax of an expression. The library only parses: it knows no limits of time, tests patterns by an engine that backtracks, and has no
 * sizes of declared values, by which costs are estimated. Throws `CelCompileError`.
 */
export function parseCel(text: string): CelNode {
  if (text.length > textLengthMax) {
    throw new CelCompileError(
      "",
      0,
      `expression code point size exceeds limit: size: ${text.length}, limit ${textLengthMax}`,
    );
  }
  // Most servers never see an expression.
  const { Environment, ParseError }: typeof import("@marcbachmann/cel-js") = createRequire(import.meta.url)(
    "@marcbachmann/cel-js",
  );
  parser ??= new Environment({ unlistedVariablesAreDyn: true, limits });
  try {
    return parser.parse(text).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CelCompileError(text, error.range?.start ?? 0, `Syntax error: ${error.summary}`);
  }
}
