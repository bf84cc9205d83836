import { CelRuntimeError } from "./cel-error.js";
import { type CelType, isAssignable, scalarTypes, typeText } from "./cel-type.js";
import type { CompileContext, Compiled, Scope } from "./compiled.js";
import { attempt } from "./comprehensions.js";
import { estimatedSize, saturated, union } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";

export function compileConditional(
  context: CompileContext,
  node: CelNode,
  [test, yes, no]: readonly [CelNode, CelNode, CelNode],
  scope: Scope,
): Compiled {
  const [condition, left, right] = [test, yes, no].map((one) => context.compile(one, scope)) as [
    Compiled,
    Compiled,
    Compiled,
  ]; // three of three
  if (!isAssignable(scalarTypes.bool, condition.type) || !isAssignable(left.type, right.type)) {
    throw context.noOverload(node, "_?_:_", [condition.type, left.type, right.type]);
  }
  return {
    type:
      right.type.kind === "dyn" || left.type.kind === "null" || isUnknownList(left.type)
        ? right.type
        : left.type,
    cost: saturated(condition.cost + Math.max(left.cost, right.cost)),
    size: union(estimatedSize(left, context.root), estimatedSize(right, context.root)),
    run: (frame) => {
      const met = condition.run(frame);
      if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
      return (met ? left : right).run(frame);
    },
  };
}

/** An error on one side does not matter when the other side decides. */
export function compileLogical(
  context: CompileContext,
  decides: boolean,
  [a, b]: readonly [CelNode, CelNode],
  scope: Scope,
): Compiled {
  const [left, right] = [context.compile(a, scope), context.compile(b, scope)];
  for (const [side, { type }] of [
    [a, left],
    [b, right],
  ] as const) {
    if (!isAssignable(scalarTypes.bool, type)) {
      throw context.error(side, `expected type 'bool' but found '${typeText(type)}'`);
    }
  }
  return {
    type: scalarTypes.bool,
    cost: saturated(left.cost + right.cost),
    run: (frame) => {
      const first = attempt(left.run, frame);
      if (first === decides) return decides;
      const second = attempt(right.run, frame);
      if (second === decides) return decides;
      if (first instanceof CelRuntimeError) throw first;
      if (second instanceof CelRuntimeError) throw second;
      if (typeof first !== "boolean" || typeof second !== "boolean")
        throw new CelRuntimeError("no such overload");
      return !decides;
    },
  };
}

/** The type of `[]`. */
function isUnknownList(type: CelType): boolean {
  return type.kind === "list" && type.element.kind === "dyn";
}
