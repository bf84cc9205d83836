import { createRequire } from "node:module";
import type { ASTNode } from "@marcbachmann/cel-js";
import {
  CelCompileError,
  type CelProblem,
  problemAt,
  problemOfNothing,
  problemOfWhole,
} from "./cel-error.js";

export type CelNode = ASTNode;

/** Longer expressions are refused. */
export const expressionLengthMax = 32 * 1024;
const nodesMax = 5_000;
/** Of brackets, selections and conditionals within each other. Source: cel-go, package `parser`. */
export const depthMax = 250;
const limits = {
  maxAstNodes: nodesMax,
  maxDepth: depthMax,
  maxListElements: nodesMax,
  maxMapEntries: nodesMax,
};

type ProblemAt = (place: number, problem: string) => CelProblem;

let parser: { parse(text: string): { readonly ast: CelNode } } | undefined;

/**
 * Parses an expression. The library is used only for this: its evaluator has no time limits, matches patterns with a backtracking
 * engine, and cannot estimate costs from declared sizes. Throws `CelCompileError` with the problem that `at`
 * makes of a place.
 */
export function parseCel(
  text: string,
  at: ProblemAt = (place, problem) => problemAt(text, place, problem),
): CelNode {
  if (text.length > expressionLengthMax) {
    const why = `expression code point size exceeds limit: size: ${text.length}, limit ${expressionLengthMax}`;
    throw new CelCompileError(problemOfWhole(why));
  }
  // Loaded on first use, because most servers never parse an expression.
  const { Environment, ParseError }: typeof import("@marcbachmann/cel-js") = createRequire(import.meta.url)(
    "@marcbachmann/cel-js",
  );
  parser ??= new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, limits });
  try {
    return parser.parse(text).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CelCompileError(problemOf(error, text, at));
  }
}

interface ParseFailure {
  readonly code: string;
  readonly summary: string;
  readonly range?: { readonly start: number } | undefined;
}

/** Nothing, or an operator between two values: only a value may follow. */
const endsBeforeValue = /(?:^|&&|\|\||[=!<>]=|[<>+*/%]|[\w)\]}"']\s*-|\Win)\s*$/;
/** A name, a number or a text, where the expression should have ended. */
const tokenAtStart = /^(?:[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/;
const valueStarts =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function problemOf({ code, summary, range }: ParseFailure, text: string, at: ProblemAt): CelProblem {
  const place = range?.start ?? 0;
  switch (code) {
    case "limit_exceeded":
      return problemOfWhole(
        summary.includes("maxDepth") ? `expression recursion limit exceeded: ${depthMax}` : summary,
      );
    case "reserved_identifier":
      return at(place, summary.replace("Reserved", "reserved"));
    default: {
      const problem = `Syntax error: ${wordsOf(summary, text, place)}`;
      return text === "" ? problemOfNothing(problem) : at(place, problem);
    }
  }
}

/** The syntax error; for the most common mistakes in the words of the parser that Kubernetes uses. */
function wordsOf(summary: string, text: string, place: number): string {
  if (summary === "Unexpected token: EOF" && endsBeforeValue.test(text)) {
    return `mismatched input '<EOF>' expecting ${valueStarts}`;
  }
  const rest = text.slice(place);
  const token = summary.startsWith("Unexpected character: ") ? tokenAtStart.exec(rest)?.[0] : undefined;
  if (token === undefined) return summary;
  const isLast = rest.slice(token.length).trim() === "";
  return `${isLast ? "extraneous" : "mismatched"} input '${token}' expecting <EOF>`;
}
