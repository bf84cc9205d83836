import { keyOf } from "./cel-functions.js";
import { type CelType, isAssignable, listOf, optionalOf, scalarTypes, typeText } from "./cel-type.js";
import { CelList, CelMap, CelTypeValue, CelUint, type CelValue } from "./cel-value.js";
import { type CompileContext, type Compiled, exactly, type Scope, total } from "./compiled.js";
import { saturated } from "./estimated-cost.js";
import { qualifiedName } from "./node-places.js";
import type { CelNode } from "./parse-cel.js";
import { optionalValue } from "./value-parts.js";

export function compileList(context: CompileContext, nodes: readonly CelNode[], scope: Scope): Compiled {
  const elements = nodes.map((node) => context.compile(node, scope));
  return {
    type: listOf(joined(context, nodes, elements)),
    cost: saturated(total(elements) + listCost),
    size: exactly(elements.length),
    run: (frame) => {
      frame.budget.spend(listCost + elements.length);
      return CelList.of(elements.map(({ run }) => run(frame)));
    },
  };
}

export function compileMap(
  context: CompileContext,
  entries: readonly (readonly [CelNode, CelNode])[],
  scope: Scope,
): Compiled {
  const keys = entries.map(([key]) => context.compile(key, scope));
  const values = entries.map(([, value]) => context.compile(value, scope));
  const key = joined(
    context,
    entries.map(([node]) => node),
    keys,
  );
  const value = joined(
    context,
    entries.map(([, node]) => node),
    values,
  );
  return {
    type: { kind: "map", key, value },
    cost: saturated(total(keys) + total(values) + mapCost),
    size: exactly(entries.length),
    run: (frame) => {
      frame.budget.spend(mapCost + entries.length);
      const made = new Map<string | bigint | boolean, CelValue>();
      for (const [at, one] of keys.entries()) {
        made.set(keyOf(one.run(frame)), values[at]?.run(frame) ?? null);
      }
      return CelMap.of(made);
    },
  };
}

/** All elements of a literal have one type. */
function joined(context: CompileContext, nodes: readonly CelNode[], elements: readonly Compiled[]): CelType {
  const [first] = elements;
  if (first === undefined) return scalarTypes.dyn;
  for (const [at, { type }] of elements.entries()) {
    const node = nodes[at];
    if (!isAssignable(first.type, type) && node !== undefined) {
      throw context.error(node, `expected type '${typeText(first.type)}' but found '${typeText(type)}'`);
    }
  }
  return first.type;
}

/** An object of a type that accepts its fields without conversion. */
export function compileObjectLiteral(
  context: CompileContext,
  typeName: string,
  members: readonly LiteralMember[],
  scope: Scope,
): Compiled {
  const fields = members.map(({ name, node, isOptional }) => {
    const compiled = context.compile(node, scope);
    const { type } = compiled;
    if (isOptional && type.kind !== "optional" && type.kind !== "dyn") {
      const [wanted, found] = [typeText(optionalOf(type)), typeText(type)];
      throw context.error(node, `expected type '${wanted}' but found '${found}'`);
    }
    return { name, isOptional, ...compiled };
  });
  return {
    type: { kind: "object", name: typeName, fields: new Map() },
    cost: saturated(total(fields) + mapCost),
    size: exactly(fields.length),
    run: (frame) => {
      frame.budget.spend(mapCost + fields.length);
      const made = new Map<string, CelValue>();
      for (const { name, isOptional, run } of fields) {
        const value = isOptional ? optionalValue(run(frame)).value : run(frame);
        if (value !== undefined) made.set(name, value);
      }
      return CelMap.of(made, typeName);
    },
  };
}

/** A member of an object literal; an optional one is left out where it has no value. */
interface LiteralMember {
  readonly name: string;
  readonly node: CelNode;
  readonly isOptional: boolean;
}

/** The type and the fields of `Object.spec({a: 1})`, which the literal `Object.spec{a: 1}` was rewritten as. */
export function literalOf(
  name: string,
  receiver: CelNode | undefined,
  [map, ...others]: readonly CelNode[],
  optionals: ReadonlySet<number>,
): { readonly type: string; readonly members: readonly LiteralMember[] } | undefined {
  if (map?.op !== "map" || others.length > 0) return undefined;
  const before = receiver === undefined ? "" : qualifiedName(receiver);
  if (before === undefined) return undefined;
  const type = before === "" ? name : `${before}.${name}`;
  if (type !== "JSONPatch" && type.split(".")[0] !== "Object") return undefined;
  const members = map.args.map(([key, node]) => ({
    name: fieldName(key),
    node,
    isOptional: optionals.has(key.pos),
  }));
  return { type, members };
}

/** Names that are words of the language may be quoted. */
function fieldName(key: CelNode): string {
  if (key.op === "id") return key.args;
  return key.op === "value" && typeof key.args === "string" ? key.args : "";
}

type Literal = Extract<CelNode, { op: "value" }>["args"];

export function literal(value: Literal): Compiled {
  if (value === null) return constant(scalarTypes.null, null);
  switch (typeof value) {
    case "string":
      return constant(scalarTypes.string, value, [...value].length);
    case "bigint":
      return { ...constant(scalarTypes.int, value), integer: value };
    case "number":
      return constant(scalarTypes.double, value);
    case "boolean":
      return constant(scalarTypes.bool, value);
    default:
      if (value instanceof Uint8Array) return constant(scalarTypes.bytes, value, value.length);
      return constant(scalarTypes.uint, new CelUint(value.value));
  }
}

function constant(type: CelType, value: CelValue, bytes = 1): Compiled {
  return { type, cost: 0, size: exactly(bytes), run: () => value };
}

/** The name of a type. */
export function named(name: string): Compiled {
  const value = new CelTypeValue(name);
  return { type: scalarTypes.type, cost: 1, path: [name], run: () => value };
}

export const listCost = 10;

const mapCost = 30;
