import { keyOf } from "./cel-functions.js";
import {
  broader,
  type CelType,
  isAssignable,
  isSameType,
  listOf,
  type ObjectField,
  type ObjectType,
  optionalOf,
  scalarTypes,
  typeTextInError,
  undecided,
} from "./cel-type.js";
import { CelList, CelMap, CelTypeValue, CelUint, type CelValue } from "./cel-value.js";
import { type CompileContext, type Compiled, exactly, type Scope, total } from "./compiled.js";
import { type Size, saturated } from "./estimated-cost.js";
import { qualifiedName } from "./node-places.js";
import type { CelNode } from "./parse-cel.js";
import { optionalValue } from "./value-parts.js";

type NodeOf<Op extends CelNode["op"]> = Extract<CelNode, { op: Op }>;

export function compileList(context: CompileContext, node: NodeOf<"list">, scope: Scope): Compiled {
  const optionals = context.optionalEntries(node);
  passMixed(context, node, node.args);
  const elements = node.args.map((element) => context.compile(element, scope));
  return {
    type: listOf(joined(context, node, { nodes: node.args, entries: elements, optionals })),
    entries: elements,
    cost: saturated(total(elements) + listCost),
    size: sizeOf(elements, optionals),
    run: (frame) => {
      frame.budget.spend(listCost + elements.length);
      const made: CelValue[] = [];
      for (const [index, { run }] of elements.entries()) {
        const value = optionals.has(index) ? optionalValue(run(frame)).value : run(frame);
        if (value !== undefined) made.push(value);
      }
      return CelList.of(made);
    },
  };
}

export function compileMap(context: CompileContext, node: NodeOf<"map">, scope: Scope): Compiled {
  const optionals = context.optionalEntries(node);
  const keyNodes = node.args.map(([key]) => key);
  const valueNodes = node.args.map(([, value]) => value);
  passMixed(context, node, node.args.flat());
  const keys = keyNodes.map((key) => context.compile(key, scope));
  const values = valueNodes.map((value) => context.compile(value, scope));
  const key = joined(context, node, { nodes: keyNodes, entries: keys });
  const value = joined(context, node, { nodes: valueNodes, entries: values, optionals });
  return {
    type: { kind: "map", key, value },
    entries: keys.flatMap((one, index) => [one, values[index] ?? one]),
    cost: saturated(total(keys) + total(values) + mapCost),
    size: sizeOf(values, optionals),
    run: (frame) => {
      frame.budget.spend(mapCost + values.length);
      const made = new Map<string | bigint | boolean, CelValue>();
      for (const [index, one] of keys.entries()) {
        const name = keyOf(one.run(frame));
        const given = values[index]?.run(frame) ?? null;
        const entry = optionals.has(index) ? optionalValue(given).value : given;
        if (entry === undefined) made.delete(name);
        else made.set(name, entry);
      }
      return CelMap.of(made);
    },
  };
}

/** The entries of a literal that may be left out: where each question mark stood, by index. */
type OptionalEntries = ReadonlyMap<number, number>;

const noOptionals: OptionalEntries = new Map();

function sizeOf({ length }: readonly Compiled[], { size }: OptionalEntries): Size {
  return { min: length - size, max: length };
}

/** Literals nested in a literal of mixed entry types may be mixed too. */
function passMixed({ mixed }: CompileContext, literal: CelNode, entries: readonly CelNode[]): void {
  if (!mixed.has(literal)) return;
  for (const entry of entries) if (entry.op === "list" || entry.op === "map") mixed.add(entry);
}

interface Entries {
  readonly nodes: readonly CelNode[];
  readonly entries: readonly Compiled[];
  readonly optionals?: OptionalEntries;
}

/** The type of all entries of a literal. */
function joined(
  context: CompileContext,
  literal: CelNode,
  { nodes, entries, optionals = noOptionals }: Entries,
): CelType {
  let first: CelType | undefined;
  let all: CelType | undefined;
  let isMixed = context.mixed.has(literal);
  for (const [at, { type: found }] of entries.entries()) {
    const node = nodes[at];
    if (node === undefined) continue;
    const type = optionals.has(at) ? heldType(context, node, found) : found;
    first ??= type;
    all ??= type;
    const fits = isAssignable(all, type);
    all = fits ? broader(all, type) : scalarTypes.dyn;
    if (isMixed || (context.environment.hasStrictLiterals ? isSameType(first, type) : fits)) continue;
    const why = `expected type '${typeTextInError(first)}' but found '${typeTextInError(type)}'`;
    if (!context.environment.hasStrictLiterals) throw context.error(node, why);
    context.advise(node, why);
    isMixed = true;
  }
  return all ?? undecided;
}

/** The type that an optional entry holds. */
function heldType(context: CompileContext, node: CelNode, type: CelType): CelType {
  if (type.kind === "optional") return type.element;
  if (type.kind === "dyn") return type;
  const [wanted, found] = [typeTextInError(optionalOf(type)), typeTextInError(type)];
  throw context.error(node, `expected type '${wanted}' but found '${found}'`);
}

const patchFields = new Map<string, ObjectField>(
  Object.entries({
    op: scalarTypes.string,
    path: scalarTypes.string,
    from: scalarTypes.string,
    value: scalarTypes.dyn,
  }).map(([name, type]) => [name, { name, type }]),
);

function literalType(name: string): ObjectType {
  if (name === "JSONPatch") return { kind: "object", name, fields: patchFields };
  return { kind: "object", name, fields: new Map(), isOpen: true };
}

/** An object of a type that accepts its fields without conversion. */
export function compileObjectLiteral(
  context: CompileContext,
  { type: typeName, map }: ObjectLiteral,
  scope: Scope,
): Compiled {
  const optionals = context.optionalEntries(map);
  const objectType = literalType(typeName);
  const fields = map.args.map(([key, node], index) => {
    const compiled = context.compile(node, scope);
    const isOptional = optionals.has(index);
    const found = isOptional ? heldType(context, node, compiled.type) : compiled.type;
    const name = fieldName(key);
    const declared = objectType.fields.get(name);
    const problem =
      declared === undefined
        ? objectType.isOpen !== true && `undefined field '${name}'`
        : !isAssignable(declared.type, found) &&
          `expected type of field '${name}' is '${typeTextInError(declared.type)}' but provided type is '${typeTextInError(found)}'`;
    if (problem !== false) throw context.errorAt(map.input.indexOf(":", key.end), problem);
    return { name, isOptional, ...compiled };
  });
  return {
    type: objectType,
    cost: saturated(total(fields) + mapCost),
    size: sizeOf(fields, optionals),
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

interface ObjectLiteral {
  readonly type: string;
  readonly map: NodeOf<"map">;
}

/** The type and fields of `Object.spec({a: 1})`, to which `Object.spec{a: 1}` was rewritten. */
export function literalOf(
  name: string,
  receiver: CelNode | undefined,
  [map, ...others]: readonly CelNode[],
): ObjectLiteral | undefined {
  if (map?.op !== "map" || others.length > 0) return undefined;
  const before = receiver === undefined ? "" : qualifiedName(receiver);
  if (before === undefined) return undefined;
  const type = before === "" ? name : `${before}.${name}`;
  return type === "JSONPatch" || type.split(".")[0] === "Object" ? { type, map } : undefined;
}

/** Names that are words of the language may be quoted. */
function fieldName(key: CelNode): string {
  if (key.op === "id") return key.args;
  return key.op === "value" && typeof key.args === "string" ? key.args : "";
}

export type Literal = Extract<CelNode, { op: "value" }>["args"];

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
