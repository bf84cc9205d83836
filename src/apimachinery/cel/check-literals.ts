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

/** Records a call that converts a literal, or that converts the result of a recorded call. */
export function noteConversion({ constants }: CompileContext, node: CelNode, call: Compiled): void {
  if (node.op !== "call") return;
  const [name, [arg, ...others]] = node.args;
  if (!conversions.has(name) || arg === undefined || others.length > 0) return;
  // The outer call runs the inner one, so only the outer is kept.
  if (constants.delete(arg) || isLiteral(arg)) constants.set(node, call);
}

function isLiteral(node: CelNode): boolean {
  return literalOf(node) !== undefined || (node.op === "-_" && node.args.op === "value");
}

/** Runs each recorded conversion once. Returns the message of the first that fails: the expression fails then whenever it runs. */
export function problemOfConstants(constants: Iterable<Compiled>): string | undefined {
  for (const { run } of constants) {
    try {
      run({ slots: [], budget: new CelBudget(constantSteps) });
    } catch (error) {
      if (error instanceof CelRuntimeError) return error.message;
      if (!(error instanceof CelBudgetError)) throw error;
    }
  }
  return undefined;
}

/** More than a few conversions of a text of any length that a request may have. */
const constantSteps = 1_000_000;
