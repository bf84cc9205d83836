import { messageOf } from "../errors/message-of.js";
import { CelBudget, CelBudgetError, CelRuntimeError } from "./cel-error.js";
import { compiledPattern } from "./cel-pattern.js";
import { durationOf, timestampOf, timestampOfSeconds } from "./cel-times.js";
import type { CompileContext, Compiled } from "./compiled.js";
import type { CelNode } from "./parse-cel.js";

export const patternFunctions = ["matches", "find", "findAll"];

export function checkPattern(context: CompileContext, node: CelNode, text: string, name: string): void {
  try {
    compiledPattern(text);
  } catch (error) {
    context.advise(node, name === "matches" ? "invalid matches argument" : messageOf(error));
  }
}

/** Checks the literal argument of `duration` or `timestamp`. */
export function checkTime(context: CompileContext, node: CelNode, name: string): void {
  const value = literalOf(node);
  try {
    if (typeof value === "string" && name === "duration") durationOf(value);
    if (typeof value === "string" && name === "timestamp") timestampOf(value);
    if (typeof value === "bigint" && name === "timestamp") timestampOfSeconds(value);
  } catch {
    context.advise(node, `invalid ${name} argument`);
  }
}

function literalOf(node: CelNode): unknown {
  if (node.op === "value") return node.args;
  const negated = node.op === "-_" && node.args.op === "value" ? node.args.args : undefined;
  return typeof negated === "bigint" ? -negated : undefined;
}

const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

/** Whether a value is known without any variable: a literal, or what conversions make of one. */
export function isConstant(node: CelNode): boolean {
  if (node.op !== "call")
    return literalOf(node) !== undefined || (node.op === "-_" && node.args.op === "value");
  const [name, [arg, ...others]] = node.args;
  return conversions.has(name) && arg !== undefined && others.length === 0 && isConstant(arg);
}

/** Converts a constant once: where that fails, the expression is never evaluated. */
export function checkConversion(context: CompileContext, { run }: Compiled): void {
  try {
    run({ slots: [], budget: new CelBudget(constantSteps) });
  } catch (error) {
    if (error instanceof CelRuntimeError) context.neverRuns(error.message);
    else if (!(error instanceof CelBudgetError)) throw error;
  }
}

/** More than a few conversions of a text of any length that a request may have. */
const constantSteps = 1_000_000;
