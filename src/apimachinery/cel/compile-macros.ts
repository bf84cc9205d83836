import { compareValues } from "./cel-order.js";
import { type CelType, isAssignable, listOf, scalarTypes, typeTextInError } from "./cel-type.js";
import { CelList, type CelValue } from "./cel-value.js";
import { listCost } from "./compile-literals.js";
import { type CompileContext, type Compiled, elementPath, nextSlot, type Scope, total } from "./compiled.js";
import { comprehensions } from "./comprehensions.js";
import { callEstimates, estimatedSize, macroCosts, saturated, sizedArgument } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";
import { elementsOf, memberOf, within } from "./value-parts.js";

export const macros: ReadonlySet<string> = new Set([
  "all/2",
  "exists/2",
  "exists_one/2",
  "filter/2",
  "map/2",
  "map/3",
]);

export function compileHas(
  context: CompileContext,
  node: CelNode,
  arg: CelNode | undefined,
  scope: Scope,
): Compiled {
  if (arg?.op !== ".") throw context.error(arg ?? node, "invalid argument to has() macro");
  const [of, field] = arg.args;
  const operand = context.compile(of, scope);
  const isOptional = operand.type.kind === "optional";
  context.fieldType(node, operand.type.kind === "optional" ? operand.type.element : operand.type, field);
  return {
    type: scalarTypes.bool,
    cost: operand.cost,
    run: (frame) => {
      const value = operand.run(frame);
      frame.budget.spend(1);
      if (isOptional) return within(value, (found) => memberOf(found, field)).value !== undefined;
      return memberOf(value, field) !== undefined;
    },
  };
}

export function compileComprehension(
  context: CompileContext,
  node: CelNode,
  name: string,
  over: CelNode,
  args: readonly CelNode[],
  scope: Scope,
): Compiled {
  const range = context.compile(over, scope);
  const [variable, ...bodies] = args;
  if (variable?.op !== "id") throw context.error(node, "argument must be a simple name");
  const element = elementType(context, over, range.type);
  const slot = nextSlot(scope);
  const inside = { type: element, slot, path: elementPath(range) };
  // Only variables of the expression itself count as read, not those of macros.
  const inner: Scope = new Map([...scope, [variable.args, inside]]);
  const compiled = bodies.map((body) => context.compile(body, inner));
  const [body, transform] = compiled;
  if (body === undefined) throw context.error(node, "argument must be an expression");
  const isTest = name !== "map" || transform !== undefined;
  if (isTest && !isAssignable(scalarTypes.bool, body.type)) {
    throw context.error(bodies[0] ?? node, `expected type 'bool' but found '${typeTextInError(body.type)}'`);
  }
  const makesList = name === "map" || name === "filter";
  const made = name === "filter" ? element : (transform ?? body).type;
  const size = estimatedSize(range, context.root);
  const { each, once } = macroCosts[name] ?? { each: 0, once: 0 };
  return {
    type: makesList ? listOf(made) : scalarTypes.bool,
    cost: saturated(range.cost + once + size.max * (total(compiled) + each)),
    size: context.environment.estimatesMacroSizes ? size : undefined,
    run: (frame) => {
      const values = elementsOf(range.run(frame));
      const outer = frame.slots[slot];
      try {
        return (
          comprehensions[name]?.(values, { frame, at: slot, body: body.run, transform: transform?.run }) ??
          null
        );
      } finally {
        if (outer !== undefined) frame.slots[slot] = outer;
      }
    },
  };
}

export function compileSortBy(
  context: CompileContext,
  node: CelNode,
  over: CelNode,
  args: readonly CelNode[],
  scope: Scope,
): Compiled {
  const range = context.compile(over, scope);
  const [variable, keyNode] = args;
  if (variable?.op !== "id" || keyNode === undefined)
    throw context.error(node, "argument must be a simple name");
  const element = elementType(context, over, range.type);
  const slot = nextSlot(scope);
  const inside = { type: element, slot, path: elementPath(range) };
  const key = context.compile(keyNode, new Map([...scope, [variable.args, inside]]));
  const { max } = estimatedSize(range, context.root);
  // As if the list had a name, its elements were mapped to their keys, and the keys were sorted.
  const { each, once } = macroCosts.map ?? { each: 0, once: 0 };
  const mapping = once + 1 + max * (key.cost + each);
  const sorting = callEstimates.sort([
    sizedArgument({ cost: 0, type: listOf(key.type), size: { min: 0, max } }, context.root),
  ]);
  return {
    type: listOf(element),
    cost: saturated(range.cost + bindingCost + mapping + sorting.cost),
    size: sorting.size,
    run: (frame) => {
      const outer = frame.slots[slot];
      const keyed: { readonly value: CelValue; readonly key: CelValue }[] = [];
      for (const value of elementsOf(range.run(frame))) {
        frame.slots[slot] = value;
        frame.budget.spend(4);
        keyed.push({ value, key: key.run(frame) });
      }
      if (outer !== undefined) frame.slots[slot] = outer;
      frame.budget.spend(keyed.length * Math.ceil(Math.log2(keyed.length + 1)));
      return CelList.of(keyed.sort((a, b) => compareValues(a.key, b.key)).map(({ value }) => value));
    },
  };
}

const bindingCost = listCost + 1;

/** `cel.bind(name, value, expression)`. */
export function compileBinding(
  context: CompileContext,
  [variable, valueNode, bodyNode]: readonly CelNode[],
  scope: Scope,
): Compiled {
  if (variable === undefined || valueNode === undefined || bodyNode === undefined)
    throw new Error("a binding has three arguments");
  if (variable.op !== "id") {
    throw context.error(variable, "cel.bind() variable names must be simple identifiers");
  }
  const value = context.compile(valueNode, scope);
  const slot = nextSlot(scope);
  const inside = { type: value.type, slot, path: value.path };
  const body = context.compile(bodyNode, new Map([...scope, [variable.args, inside]]));
  return {
    ...body,
    cost: saturated(value.cost + body.cost + bindingCost),
    run: (frame) => {
      const outer = frame.slots[slot];
      try {
        frame.slots[slot] = value.run(frame);
        return body.run(frame);
      } finally {
        if (outer !== undefined) frame.slots[slot] = outer;
      }
    },
  };
}

export function elementType(context: CompileContext, node: CelNode, type: CelType): CelType {
  if (type.kind === "list") return type.element;
  if (type.kind === "map") return type.key;
  if (type.kind === "dyn") return scalarTypes.dyn;
  throw context.error(
    node,
    `expression of type '${typeTextInError(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
  );
}
