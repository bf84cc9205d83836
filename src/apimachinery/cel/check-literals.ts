import { messageOf } from "../errors/message-of.js";
import { compiledPattern } from "./cel-pattern.js";
import { durationOf, timestampOf, timestampOfSeconds } from "./cel-times.js";
import type { CompileContext } from "./compiled.js";
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
