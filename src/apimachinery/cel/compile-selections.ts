import { CelRuntimeError } from "./cel-error.js";
import { type CelType, isAssignable, optionalOf, scalarTypes } from "./cel-type.js";
import { CelMap, type CelValue } from "./cel-value.js";
import type { CompileContext, Compiled, Scope } from "./compiled.js";
import { saturated } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";
import { elementAt, elementOf, memberOf, within } from "./value-parts.js";

/** With `mayLack`, `run` returns an optional value. */
export function compileField(
  context: CompileContext,
  node: CelNode,
  operand: Compiled,
  field: string,
  mayLack: boolean,
): Compiled {
  const inner = operand.type.kind === "optional" ? operand.type.element : operand.type;
  const isOptional = operand.type.kind === "optional" || mayLack;
  const type = context.fieldType(node, inner, field);
  return {
    type: operand.type.kind === "optional" && !mayLack ? optionalOf(type) : type,
    cost: saturated(operand.cost + (inner.kind === "dyn" && !mayLack ? 0 : 1)),
    path: [...(operand.path ?? []), context.fieldName(inner, field)],
    run: (frame) => {
      const value = operand.run(frame);
      frame.budget.spend(1);
      if (isOptional) return within(value, (found) => memberOf(found, field));
      const found = memberOf(value, field);
      if (found !== undefined) return found;
      const unset = unsetMember(value, type);
      if (unset === undefined) throw new CelRuntimeError(`no such key: ${field}`);
      return unset;
    },
  };
}

/** Fields that an object literal does not set are empty. */
function unsetMember(value: CelValue, { kind }: CelType): CelValue | undefined {
  if (!(value instanceof CelMap) || value.typeName === undefined) return undefined;
  return kind === "string" ? "" : null;
}

/** With `mayLack`, `run` returns an optional value. */
export function compileIndex(
  context: CompileContext,
  node: CelNode,
  of: CelNode,
  at: CelNode,
  scope: Scope,
  mayLack = false,
): Compiled {
  const operand = context.compile(of, scope);
  const index = context.compile(at, scope);
  const type = operand.type.kind === "optional" ? operand.type.element : operand.type;
  const isOptional = operand.type.kind === "optional" || mayLack;
  let result: CelType = scalarTypes.dyn;
  if (type.kind === "list" && isAssignable(scalarTypes.int, index.type)) result = type.element;
  else if (type.kind === "map" && isAssignable(type.key, index.type)) result = type.value;
  else if (type.kind !== "dyn") throw context.noOverload(node, "_[_]", [type, index.type]);
  return {
    type: operand.type.kind === "optional" && !mayLack ? optionalOf(result) : result,
    cost: saturated(operand.cost + index.cost + 1),
    path: [...(operand.path ?? []), type.kind === "list" ? "@items" : "@values"],
    run: (frame) => {
      const value = operand.run(frame);
      const place = index.run(frame);
      frame.budget.spend(1);
      if (isOptional) return within(value, (found) => elementAt(found, place));
      return elementOf(value, place);
    },
  };
}
