import {
  deducedMap,
  deducedType,
  type ListType,
  type MergeType,
  type StructField,
  type StructType,
} from "../schema/merge-type.js";
import type { StructuralSchema } from "./structural-schema.js";

const scalars = {
  string: { kind: "scalar", scalar: "string" },
  integer: { kind: "scalar", scalar: "numeric" },
  number: { kind: "scalar", scalar: "numeric" },
  boolean: { kind: "scalar", scalar: "boolean" },
  opaque: { kind: "scalar", scalar: "opaque" },
} as const satisfies Record<string, MergeType>;

export interface MergeShapeParts extends Pick<ListType, "mayOmitKeys"> {
  /** The type of object metadata. */
  readonly metadata: MergeType;
}

/**
 * The type by which server-side apply merges and tracks objects of this schema, made from its list and map types. Source: Kubernetes
 * documentation, "Server-Side Apply", "Merge strategy".
 */
export function objectMergeShape(schema: StructuralSchema, parts: MergeShapeParts): StructType {
  return structShape(schema, { ...parts, keepsUnknown: false }, true);
}

interface ShapeParts extends MergeShapeParts {
  /** Whether an outer schema preserves unknown fields: managers may then own them here too, although they are pruned. */
  readonly keepsUnknown: boolean;
}

/** Makes its fields on demand, because an object has few of those that a large schema declares. */
function structShape(schema: StructuralSchema, above: ShapeParts, isResource: boolean): StructType {
  const parts = belowOf(schema, above);
  const known = new Map<string, StructField>();
  const made = (name: string): StructField | undefined => {
    const ofObject = isResource ? objectField(name, parts.metadata) : undefined;
    if (ofObject !== undefined) return fieldOf(ofObject);
    const property = schema.properties.get(name);
    return property && fieldOf(shapeOf(property, parts), property.default);
  };
  return {
    kind: "struct",
    atomic: schema.mapType === "atomic",
    others: parts.keepsUnknown || schema.additional === true ? deducedType : undefined,
    field(name) {
      const field = known.get(name);
      if (field !== undefined) return field;
      const fresh = made(name);
      if (fresh !== undefined) known.set(name, fresh);
      return fresh;
    },
  };
}

function belowOf({ preservesUnknown }: StructuralSchema, parts: ShapeParts): ShapeParts {
  return preservesUnknown && !parts.keepsUnknown ? { ...parts, keepsUnknown: true } : parts;
}

function objectField(name: string, metadata: MergeType): MergeType | undefined {
  if (name === "apiVersion" || name === "kind") return scalars.string;
  return name === "metadata" ? metadata : undefined;
}

function fieldOf(type: MergeType, value?: StructField["default"]): StructField {
  return { type, default: value, implicit: undefined };
}

function shapeOf(schema: StructuralSchema, parts: ShapeParts): MergeType {
  // Kubernetes reports a wrong type only when it validates the merged object.
  if (schema.isIntOrString) return scalars.opaque;
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return scalars[schema.type];
    case "array":
      return listShape(schema, parts);
    case "object":
      return mapShape(schema, parts);
    default:
      return schema.properties.size > 0 ? mapShape(schema, parts) : deducedType;
  }
}

function listShape(schema: StructuralSchema, parts: ShapeParts): MergeType {
  const element = schema.items === undefined ? deducedType : shapeOf(schema.items, belowOf(schema, parts));
  const relation = schema.listType === "map" || schema.listType === "set" ? schema.listType : "atomic";
  const { mayOmitKeys } = parts;
  return { kind: "list", relation, keys: schema.listMapKeys.toSorted(), mayOmitKeys, element };
}

function mapShape(schema: StructuralSchema, parts: ShapeParts): MergeType {
  if (schema.isEmbedded) return structShape(schema, parts, true);
  if (schema.properties.size > 0) return structShape(schema, parts, false);
  const atomic = schema.mapType === "atomic";
  if (typeof schema.additional === "object") {
    return { kind: "map", atomic, element: shapeOf(schema.additional, belowOf(schema, parts)) };
  }
  // The members of an untyped object are unknown; they exist only if unknown fields are preserved.
  return atomic ? { kind: "map", atomic, element: deducedType } : deducedMap;
}
