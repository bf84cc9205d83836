import { CelRuntimeError } from "./cel-error.js";
import { broader, isAssignable, isNullFirst, scalarTypes, typeTextInError } from "./cel-type.js";
import { type CompileContext, type Compiled, type Scope, total } from "./compiled.js";
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
  if (
    !isAssignable(scalarTypes.bool, condition.type) ||
    !isAssignable(left.type, right.type) ||
    (!context.environment.allowsNullOnLeft && isNullFirst(left.type, right.type))
  ) {
    throw context.noOverload(node, "_?_:_", [condition.type, left.type, right.type]);
  }
  return {
    type: broader(left.type, right.type),
    cost: saturated(condition.cost + Math.max(left.cost, right.cost)),
    size: union(estimatedSize(left, context.root), estimatedSize(right, context.root)),
    run: (frame) => {
      const met = condition.run(frame);
      if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
      return (met ? left : right).run(frame);
    },
  };
}

/**
 * An error in one operand is ignored when another operand decides. Long chains are one operation, so they nest no deeper than short ones.
 */
export function compileLogical(context: CompileContext, node: LogicalNode, scope: Scope): Compiled {
  const decides = node.op === "||";
  const operands = operandsOf(node).map((operand) => {
    const compiled = context.compile(operand, scope);
    if (!isAssignable(scalarTypes.bool, compiled.type)) {
      context.report(operand, `expected type 'bool' but found '${typeTextInError(compiled.type)}'`);
    }
    return compiled;
  });
  return {
    type: scalarTypes.bool,
    cost: total(operands),
    run: (frame) => {
      let failure: CelRuntimeError | undefined;
      let isTyped = true;
      for (const { run } of operands) {
        const value = attempt(run, frame);
        if (value === decides) return decides;
        if (value instanceof CelRuntimeError) failure ??= value;
        else if (typeof value !== "boolean") isTyped = false;
      }
      if (failure !== undefined) throw failure;
      if (!isTyped) throw new CelRuntimeError("no such overload");
      return !decides;
    },
  };
}

/** The same expression, but false where it would fail. */
export function falseIfFailing(compiled: Compiled): Compiled {
  return {
    ...compiled,
    run: (frame) => {
      const value = attempt(compiled.run, frame);
      return value instanceof CelRuntimeError ? false : value;
    },
  };
}

export function isListOfLiterals(node: CelNode): boolean {
  return node.op === "list" && node.args.every(({ op, args }) => op === "value" && args !== null);
}

type LogicalNode = Extract<CelNode, { op: "||" | "&&" }>;

/** The operands of a chain of one operator, from left to right. */
function operandsOf(node: LogicalNode): readonly CelNode[] {
  const operands: CelNode[] = [];
  let left: CelNode = node;
  while (left.op === node.op) {
    const [before, operand]: readonly [CelNode, CelNode] = left.args;
    operands.push(operand);
    left = before;
  }
  operands.push(left);
  return operands.reverse();
}
