import { createRequire } from "node:module";
import type { ASTNode } from "@marcbachmann/cel-js";
import { CelCompileError } from "./cel-error.js";

export type CelNode = ASTNode;

/** Longer expressions are refused. */
export const expressionLengthMax = 32 * 1024;
const limits = { maxAstNodes: 5_000, maxDepth: 64, maxListElements: 1_000, maxMapEntries: 1_000 };

let parser: { parse(text: string): { readonly ast: CelNode } } | undefined;

/**
 * Parses an expression. The library is used only for this: its evaluator has no time limits, matches patterns with a backtracking
 * engine, and cannot estimate costs from declared sizes. Throws `CelCompileError`.
 */
export function parseCel(text: string): CelNode {
  if (text.length > expressionLengthMax) {
    throw new CelCompileError(
      "",
      0,
      `expression code point size exceeds limit: size: ${text.length}, limit ${expressionLengthMax}`,
    );
  }
  // Most servers never see an expression.
  const { Environment, ParseError }: typeof import("@marcbachmann/cel-js") = createRequire(import.meta.url)(
    "@marcbachmann/cel-js",
  );
  parser ??= new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, limits });
  try {
    return parser.parse(text).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CelCompileError(text, error.range?.start ?? 0, `Syntax error: ${error.summary}`);
  }
}
