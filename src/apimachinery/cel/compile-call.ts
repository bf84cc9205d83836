import { messageOf } from "../errors/message-of.js";
import { CelPending } from "./cel-access-functions.js";
import { type CelBudget, CelBudgetError, CelRuntimeError } from "./cel-error.js";
import type { CelFunction } from "./cel-function.js";
import { sizeOfValue } from "./cel-functions.js";
import {
  type Bindings,
  type CelType,
  isAssignable,
  isNullFirst,
  scalarTypes,
  typeText,
  withBindings,
} from "./cel-type.js";
import { CelList, CelOptional, type CelValue, typeOfValue } from "./cel-value.js";
import { type CompileContext, type Compiled, total } from "./compiled.js";
import { type CallEstimate, type Size, saturated, sizedArgument, union } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";

export function compileCall(
  context: CompileContext,
  node: CelNode,
  name: string,
  isMethod: boolean,
  args: readonly Compiled[],
): Compiled {
  const known = context.environment
    .functions(isMethod ? `.${name}` : name)
    .filter((overload) => overload.args.length === args.length);
  const fitting: { readonly overload: CelFunction; readonly result: CelType }[] = [];
  for (const overload of known) {
    const bindings: Bindings = new Map();
    if (
      overload.args.every((wanted, at) =>
        isAssignable(wanted, args[at]?.type ?? scalarTypes.dyn, bindings),
      ) &&
      (context.environment.allowsNullOnLeft || !beginsWithNull(overload, args))
    ) {
      fitting.push({ overload, result: withBindings(overload.result, bindings) });
    }
  }
  const [first, ...others] = fitting;
  if (first === undefined) {
    if (known.length === 0 && !context.environment.hasFunction(name)) {
      throw context.error(node, `undeclared reference to '${name}' (in container '')`);
    }
    throw context.noOverload(
      node,
      name,
      args.map(({ type }) => type),
      isMethod,
    );
  }
  const isSame = others.every(({ result }) => typeText(result) === typeText(first.result));
  const result = isSame ? first.result : scalarTypes.dyn;
  const runs = args.map(({ run }) => run);
  const isExact = others.length === 0 && args.every(({ type }) => !hasDynamicPart(type));
  const overloads = fitting.map(({ overload }) => overload);
  return {
    type: result,
    ...estimateCall(context, overloads, args),
    run: (frame) => {
      const values = runs.map((run) => run(frame));
      const overload = isExact ? first.overload : overloads.find((one) => fits(one, values));
      if (overload === undefined) throw new CelRuntimeError("no such overload");
      frame.budget.spend(overload.cost(values.map(sizeOfValue)));
      return guarded(overload, values, frame.budget);
    },
  };
}

/** Whether the first of two arguments of the same type is `null`. */
function beginsWithNull({ args: [first, second] }: CelFunction, [left, right]: readonly Compiled[]): boolean {
  if (first?.kind !== "parameter" || second?.kind !== "parameter" || first.name !== second.name) return false;
  return left !== undefined && right !== undefined && isNullFirst(left.type, right.type);
}

function estimateCall(
  context: CompileContext,
  overloads: readonly CelFunction[],
  args: readonly Compiled[],
): CallEstimate {
  const sized = args.map((arg) => sizedArgument(arg, context.root));
  let cost = 0;
  let size: Size | undefined;
  for (const overload of overloads) {
    const estimate = overload.estimate(sized);
    cost = Math.max(cost, estimate.cost);
    size = union(size, estimate.size);
  }
  return { cost: saturated(total(args) + cost), size };
}

/** Makes the expression fail when a value of dynamic type does not fit the overload. */
function guarded(overload: CelFunction, values: readonly CelValue[], budget: CelBudget): CelValue {
  try {
    return overload.run(values, budget);
  } catch (error) {
    if (error instanceof CelRuntimeError || error instanceof CelBudgetError || error instanceof CelPending) {
      throw error;
    }
    throw new CelRuntimeError(`no such overload: ${messageOf(error)}`);
  }
}

function hasDynamicPart(type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "parameter":
    case "null":
      return true;
    case "list":
    case "optional":
      return hasDynamicPart(type.element);
    case "map":
      return hasDynamicPart(type.key) || hasDynamicPart(type.value);
    default:
      return false;
  }
}

/** Whether the values have the types that an overload takes. */
function fits({ args }: CelFunction, values: readonly CelValue[]): boolean {
  return args.every((type, at) => isOfType(values[at] ?? null, type));
}

/** Looks at the first element of a list; the function checks the others itself. */
function isOfType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "parameter":
    case "dyn":
      return true;
    case "list":
      return value instanceof CelList && (value.size === 0 || isOfType(value.at(0) ?? null, type.element));
    case "map":
      return typeOfValue(value) === "map";
    case "optional":
      return value instanceof CelOptional;
    default:
      return typeOfValue(value) === typeText(type);
  }
}
