import { isAssignable, listOf, scalarTypes, typeTextInError } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import { elementType } from "./compile-macros.js";
import { type CompileContext, type Compiled, nextSlot, type Run, type Scope, total } from "./compiled.js";
import { attempt, quantifiedEntries, transformed } from "./comprehensions.js";
import { estimatedSize, macroCosts, saturated } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";
import { entriesOf } from "./value-parts.js";

export const twoVariableMacros: ReadonlyMap<string, number> = new Map([
  ["all/3", 3],
  ["exists/3", 3],
  ["existsOne/3", 3],
  ["exists_one/3", 3],
  ["transformList/3", 3],
  ["transformList/4", 4],
  ["transformMap/3", 3],
  ["transformMap/4", 4],
  ["transformMapEntry/3", 3],
  ["transformMapEntry/4", 4],
]);

/** Macros with a variable for the index or the key, and one for the value. */
export function compileTwoVariableComprehension(
  context: CompileContext,
  node: CelNode,
  name: string,
  over: CelNode,
  args: readonly CelNode[],
  scope: Scope,
): Compiled {
  const range = context.compile(over, scope);
  const [keyNode, valueNode, ...bodies] = args;
  if (keyNode?.op !== "id" || valueNode?.op !== "id")
    throw context.error(node, "argument must be a simple name");
  if (keyNode.args === valueNode.args) {
    throw context.error(valueNode, `duplicate variable name: ${keyNode.args}`);
  }
  elementType(context, over, range.type);
  const { type, path = [] } = range;
  const isList = type.kind === "list";
  const keyType = isList ? scalarTypes.int : type.kind === "map" ? type.key : scalarTypes.dyn;
  const valueType = isList ? type.element : type.kind === "map" ? type.value : scalarTypes.dyn;
  const slot = nextSlot(scope);
  const inner: Scope = new Map([
    ...scope,
    [keyNode.args, { type: keyType, slot, path: [...path, isList ? "@indices" : "@keys"] }],
    [valueNode.args, { type: valueType, slot: slot + 1, path: [...path, isList ? "@items" : "@values"] }],
  ]);
  const compiled = bodies.map((body) => context.compile(body, inner));
  const made = compiled.at(-1);
  if (made === undefined) throw context.error(node, "argument must be an expression");
  const isQuantifier = !name.startsWith("transform");
  const test = isQuantifier || compiled.length > 1 ? compiled[0] : undefined;
  if (test !== undefined && !isAssignable(scalarTypes.bool, test.type)) {
    throw context.error(bodies[0] ?? node, `expected type 'bool' but found '${typeTextInError(test.type)}'`);
  }
  if (name === "transformMapEntry" && !["map", "dyn", "parameter"].includes(made.type.kind)) {
    const found = typeTextInError(made.type);
    throw context.error(
      node,
      `found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), ${found})'`,
    );
  }
  const size = estimatedSize(range, context.root);
  const { each: costOfEach, once } = macroCosts[name] ?? { each: 0, once: 0 };
  const result = isQuantifier
    ? scalarTypes.bool
    : name === "transformList"
      ? listOf(made.type)
      : name === "transformMap"
        ? ({ kind: "map", key: keyType, value: made.type } as const)
        : made.type;
  return {
    type: result,
    cost: saturated(range.cost + once + size.max * (total(compiled) + costOfEach)),
    size,
    run: (frame) => {
      const entries = entriesOf(range.run(frame));
      const outer = [frame.slots[slot], frame.slots[slot + 1]];
      const each = (body: Run, key: CelValue, value: CelValue): CelValue => {
        frame.slots[slot] = key;
        frame.slots[slot + 1] = value;
        frame.budget.spend(2);
        return body(frame);
      };
      try {
        if (isQuantifier) {
          return quantifiedEntries(name, entries, (key, value) =>
            attempt(() => each(made.run, key, value), frame),
          );
        }
        return transformed(name, entries, {
          isKept: (key, value) => test === undefined || each(test.run, key, value) === true,
          make: (key, value) => each(made.run, key, value),
        });
      } finally {
        for (const [at, value] of outer.entries()) if (value !== undefined) frame.slots[slot + at] = value;
      }
    },
  };
}
