import { broader, isAssignable, optionalOf, scalarTypes } from "./cel-type.js";
import { CelOptional } from "./cel-value.js";
import { type CompileContext, type Compiled, nextSlot, type Scope } from "./compiled.js";
import { saturated } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";
import { optionalValue } from "./value-parts.js";

export const optionalMacros: ReadonlySet<string> = new Set(["or/1", "orValue/1", "optMap/2", "optFlatMap/2"]);

/** Compiles methods of optional values that evaluate their argument only if they need it; undefined for other receivers. */
export function compileOptionalCall(
  context: CompileContext,
  node: CelNode,
  name: string,
  of: CelNode,
  args: readonly CelNode[],
  scope: Scope,
): Compiled | undefined {
  const receiver = context.compile(of, scope);
  const { type } = receiver;
  if (type.kind !== "optional" && type.kind !== "dyn") return undefined;
  const element = type.kind === "optional" ? type.element : scalarTypes.dyn;
  if (name === "or" || name === "orValue") {
    const [arg] = args;
    if (arg === undefined) return undefined;
    const other = context.compile(arg, scope);
    const wanted = name === "or" ? optionalOf(element) : element;
    if (!isAssignable(wanted, other.type)) throw context.noOverload(node, name, [type, other.type], true);
    return {
      type: broader(wanted, other.type),
      cost: saturated(receiver.cost + other.cost + 1),
      run: (frame) => {
        const value = optionalValue(receiver.run(frame));
        frame.budget.spend(1);
        if (value.value === undefined) return other.run(frame);
        return name === "or" ? value : value.value;
      },
    };
  }
  const [variable, bodyNode] = args;
  if (variable?.op !== "id") throw context.error(node, `${name}() variable name must be a simple identifier`);
  if (bodyNode === undefined) return undefined;
  const slot = nextSlot(scope);
  const inside = { type: element, slot, path: receiver.path };
  const body = context.compile(bodyNode, new Map([...scope, [variable.args, inside]]));
  const isFlat = name === "optFlatMap";
  if (isFlat && body.type.kind !== "optional" && body.type.kind !== "dyn") {
    throw context.noOverload(node, name, [type, body.type], true);
  }
  return {
    type: isFlat ? body.type : optionalOf(body.type),
    cost: saturated(receiver.cost + body.cost + 2),
    size: body.size,
    run: (frame) => {
      const { value } = optionalValue(receiver.run(frame));
      frame.budget.spend(2);
      if (value === undefined) return new CelOptional();
      const outer = frame.slots[slot];
      try {
        frame.slots[slot] = value;
        const made = body.run(frame);
        return isFlat ? optionalValue(made) : new CelOptional(made);
      } finally {
        if (outer !== undefined) frame.slots[slot] = outer;
      }
    },
  };
}
