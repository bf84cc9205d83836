import type { CelEnvironment } from "./cel-environment.js";
import type { CelBudget, CelCompileError } from "./cel-error.js";
import type { CelType } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import { type Estimate, type Size, saturated } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";

export interface Frame {
  readonly slots: CelValue[];
  readonly budget: CelBudget;
}

export type Run = (frame: Frame) => CelValue;

export interface Compiled extends Estimate {
  readonly run: Run;
  /** Of a literal: the elements of a list, or each key and value of a map. */
  readonly entries?: readonly Compiled[];
}

export interface Variable {
  readonly type: CelType;
  readonly slot: number;
  readonly path?: readonly string[] | undefined;
}

export type Scope = ReadonlyMap<string, Variable>;

/** The compiler, as its parts see it. */
export interface CompileContext {
  readonly environment: CelEnvironment;
  /** The type of the first variable. */
  readonly root: CelType;
  /** Literals whose entries may be of different types. */
  readonly mixed: WeakSet<CelNode>;
  /** Reports errors in the node instead of throwing, so that the errors of other nodes are found too. */
  compile(node: CelNode, scope: Scope): Compiled;
  error(node: CelNode, problem: string): CelCompileError;
  errorAt(place: number, problem: string): CelCompileError;
  /** Reports an error and goes on, so that more errors may be found. */
  report(node: CelNode, problem: string): void;
  /** Reports an error beyond types. It is shown only if the whole expression type-checks. */
  advise(node: CelNode, problem: string): void;
  /** Reports what `check` throws as such an error. */
  asAdvice(check: () => void): void;
  /** Conversions of constants, only the outermost of nested ones. They run once, after the whole expression is compiled. */
  readonly constants: Map<CelNode, Compiled>;
  noOverload(node: CelNode, name: string, types: readonly CelType[], isMethod?: boolean): CelCompileError;
  /** The optional entries of a literal: the offset of each question mark, by index. Throws where entries cannot be optional. */
  optionalEntries(literal: CelNode): ReadonlyMap<number, number>;
  /** The name under which a type declares a field that an expression selects. */
  fieldName(type: CelType, field: string): string;
  /** The type of a field of a value; throws with the position of `node`. */
  fieldType(node: CelNode, type: CelType, field: string): CelType;
}

export function exactly(size: number): Size {
  return { min: size, max: size };
}

export function total(parts: readonly Compiled[]): number {
  return parts.reduce((sum, { cost }) => saturated(sum + cost), 0);
}

/** The first slots hold the variables of the program. */
export function nextSlot(scope: Scope): number {
  return Math.max(1, ...[...scope.values()].map(({ slot }) => slot)) + 1;
}

export function elementPath({ type, path }: Compiled): readonly string[] | undefined {
  if (type.kind === "list") return [...(path ?? []), "@items"];
  return type.kind === "map" ? [...(path ?? []), "@keys"] : undefined;
}
