import type { CelBudget } from "./cel-error.js";
import { type CelType, listOf, optionalOf, scalarTypes } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import { callEstimates, type EstimateCall } from "./estimated-cost.js";

/** One overload of a function, or of an operator by its name in the language's specification. */
export interface CelFunction {
  readonly name: string;
  readonly isMethod: boolean;
  /** For a method, the first is the receiver. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** The steps that a call is charged, given the sizes of its arguments. */
  readonly cost: (sizes: readonly number[]) => number;
  readonly estimate: EstimateCall;
  /** Throws `CelRuntimeError`. Spends from the budget only what exceeds `cost`. */
  readonly run: (args: readonly CelValue[], budget: CelBudget) => CelValue;
}

export interface FunctionRules {
  readonly cost?: (sizes: readonly number[]) => number;
  readonly estimate?: EstimateCall;
}

// The arguments of a function have the types of its signature, which the compiler has checked and evaluation checks again where a type is dynamic.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Run = (args: any[], budget: CelBudget) => CelValue;

/** `string.size(): int`; `::` in a name stands for its dot: `sets::contains(list(A), list(A)): bool`. */
export function define(signature: string, run: Run, rules: FunctionRules = {}): CelFunction {
  const parts = /^(?:([^.]+)\.)?([\w!%<>=&|+*/@:-]+)\((.*)\): (.+)$/.exec(signature);
  if (parts === null) throw new Error(`a bad signature: ${signature}`);
  const [, receiver, name = "", args = "", result = ""] = parts;
  return {
    name: name.replace("::", "."),
    isMethod: receiver !== undefined,
    args: [...(receiver === undefined ? [] : [receiver]), ...splitTypes(args)].map(parseType),
    result: parseType(result),
    cost: rules.cost ?? (() => 1),
    estimate: rules.estimate ?? callEstimates.plain,
    run: (values, budget) => run([...values], budget),
  };
}

function splitTypes(text: string): string[] {
  return text === "" ? [] : text.split(/, (?![^(]*\))/);
}

function parseType(text: string): CelType {
  const list = /^list\((.+)\)$/.exec(text);
  if (list !== null) return listOf(parseType(list[1] ?? ""));
  const optional = /^optional\((.+)\)$/.exec(text);
  if (optional !== null) return optionalOf(parseType(optional[1] ?? ""));
  const map = /^map\((.+), (.+)\)$/.exec(text);
  if (map !== null) return { kind: "map", key: parseType(map[1] ?? ""), value: parseType(map[2] ?? "") };
  if (/^[A-Z]$/.test(text)) return { kind: "parameter", name: text };
  const scalar = scalarTypes[text as keyof typeof scalarTypes];
  if (scalar === undefined) throw new Error(`no type is named ${text}`);
  return scalar;
}
