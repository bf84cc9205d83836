import { messageOf } from "../errors/message-of.js";
import { compiledPattern } from "./cel-pattern.js";
import { durationOf, timestampOf } from "./cel-times.js";
import type { CompileContext } from "./compiled.js";
import type { CelNode } from "./parse-cel.js";

export const patternFunctions = ["matches", "find", "findAll"];

export function checkPattern(context: CompileContext, node: CelNode, text: string, name: string): void {
  try {
    compiledPattern(text);
  } catch (error) {
    if (name === "matches") throw context.error(node, "invalid matches argument");
    throw context.error(node, messageOf(error));
  }
}

export function checkTime(context: CompileContext, node: CelNode, name: string, value: unknown): void {
  const read = name === "duration" ? durationOf : name === "timestamp" ? timestampOf : undefined;
  if (read === undefined || typeof value !== "string") return;
  try {
    read(value);
  } catch {
    throw context.error(node, `invalid ${name} argument`);
  }
}
