import { type CelType, isAssignable, listOf, scalarTypes, typeTextInError } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import { elementType } from "./compile-macros.js";
import {
  type CompileContext,
  type Compiled,
  nextSlot,
  type Run,
  type Scope,
  total,
  type Variable,
} from "./compiled.js";
import { attempt, quantifiedEntries, transformed } from "./comprehensions.js";
import { estimatedSize, macroCosts, saturated } from "./estimated-cost.js";
import type { CelNode } from "./parse-cel.js";
import { entriesOf } from "./value-parts.js";

export const twoVariableMacros: ReadonlySet<string> = new Set([
  "all/3",
  "exists/3",
  "existsOne/3",
  "exists_one/3",
  "transformList/3",
  "transformList/4",
  "transformMap/3",
  "transformMap/4",
  "transformMapEntry/3",
  "transformMapEntry/4",
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
  const slot = nextSlot(scope);
  const { key, value } = entryVariables(range, slot);
  const inner: Scope = new Map([...scope, [keyNode.args, key], [valueNode.args, value]]);
  const compiled = bodies.map((body) => context.compile(body, inner));
  const made = compiled.at(-1);
  if (made === undefined) throw context.error(node, "argument must be an expression");
  const isQuantifier = !name.startsWith("transform");
  const test = isQuantifier || compiled.length > 1 ? compiled[0] : undefined;
  if (test !== undefined && !isAssignable(scalarTypes.bool, test.type)) {
    throw context.error(bodies[0] ?? node, `expected type 'bool' but found '${typeTextInError(test.type)}'`);
  }
  if (name === "transformMapEntry") checkMadeEntry(context, node, made.type);
  const size = estimatedSize(range, context.root);
  const { each: costOfEach, once } = macroCosts[name] ?? { each: 0, once: 0 };
  return {
    type: isQuantifier ? scalarTypes.bool : transformedType(name, key.type, made.type),
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

/** The variables for the entries of a list or a map, in two slots from `slot` on. */
function entryVariables({ type, path = [] }: Compiled, slot: number): Record<"key" | "value", Variable> {
  const isList = type.kind === "list";
  const keyType = isList ? scalarTypes.int : type.kind === "map" ? type.key : scalarTypes.dyn;
  const valueType = isList ? type.element : type.kind === "map" ? type.value : scalarTypes.dyn;
  return {
    key: { type: keyType, slot, path: [...path, isList ? "@indices" : "@keys"] },
    value: { type: valueType, slot: slot + 1, path: [...path, isList ? "@items" : "@values"] },
  };
}

function checkMadeEntry(context: CompileContext, node: CelNode, type: CelType): void {
  if (type.kind === "map" || type.kind === "dyn" || type.kind === "parameter") return;
  throw context.error(
    node,
    `found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), ${typeTextInError(type)})'`,
  );
}

function transformedType(name: string, key: CelType, made: CelType): CelType {
  if (name === "transformList") return listOf(made);
  return name === "transformMap" ? { kind: "map", key, value: made } : made;
}
