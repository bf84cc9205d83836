import type { CelBudget } from "./cel-error.js";
import { type CelType, listOf, optionalOf, scalarTypes } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import { callEstimates, type EstimateCall } from "./estimated-cost.js";

export interface FunctionRules {
  readonly cost?: (sizes: readonly number[]) => number;
  readonly estimate?: EstimateCall;
}

// The arguments of a function have the types of its signature, which the compiler has checked and evaluation checks again where a type is dynamic.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Run = (args: any[], budget: CelBudget) => CelValue;

/** One overload of a function, or of an operator by its name in the language's specification. Its signature is parsed when it is first asked for. */
export class CelFunction {
  /** The steps that a call is charged, given the sizes of its arguments. */
  readonly cost: (sizes: readonly number[]) => number;
  readonly estimate: EstimateCall;
  readonly #signature: string;
  readonly #run: Run;
  #types: { readonly args: readonly CelType[]; readonly result: CelType } | undefined;

  constructor(signature: string, run: Run, rules: FunctionRules) {
    this.#signature = signature;
    this.#run = run;
    this.cost = rules.cost ?? (() => 1);
    this.estimate = rules.estimate ?? callEstimates.plain;
  }

  /** Methods have a leading dot. */
  get name(): string {
    const { receiver, name } = this.#parts();
    return receiver === undefined ? name.replace("::", ".") : `.${name}`;
  }

  /** For a method, the first is the receiver. */
  get args(): readonly CelType[] {
    return this.#parsed().args;
  }

  get result(): CelType {
    return this.#parsed().result;
  }

  /** Throws `CelRuntimeError`. Spends from the budget only what exceeds `cost`. */
  run(args: readonly CelValue[], budget: CelBudget): CelValue {
    return this.#run([...args], budget);
  }

  #parsed(): { readonly args: readonly CelType[]; readonly result: CelType } {
    if (this.#types === undefined) {
      const { receiver, args, result } = this.#parts();
      const texts = [...(receiver === undefined ? [] : [receiver]), ...splitTypes(args)];
      this.#types = { args: texts.map(parseType), result: parseType(result) };
    }
    return this.#types;
  }

  #parts(): { receiver: string | undefined; name: string; args: string; result: string } {
    const parts = /^(?:([^.]+)\.)?([\w!%<>=&|+*/@:-]+)\((.*)\): (.+)$/.exec(this.#signature);
    if (parts === null) throw new Error(`a bad signature: ${this.#signature}`);
    const [, receiver, name = "", args = "", result = ""] = parts;
    return { receiver, name, args, result };
  }
}

/** `string.size(): int`; `::` in a name stands for its dot: `sets::contains(list(A), list(A)): bool`. */
export function define(signature: string, run: Run, rules: FunctionRules = {}): CelFunction {
  return new CelFunction(signature, run, rules);
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
