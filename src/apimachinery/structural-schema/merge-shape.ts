import { deducedType, type MergeType, type StructField, type StructType } from "../schema/merge-type.js";
import type { StructuralSchema } from "./structural-schema.js";

const scalars = {
  string: { kind: "scalar", scalar: "string" },
  integer: { kind: "scalar", scalar: "numeric" },
  number: { kind: "scalar", scalar: "numeric" },
  boolean: { kind: "scalar", scalar: "boolean" },
  untyped: { kind: "scalar", scalar: "untyped" },
} as const satisfies Record<string, MergeType>;

/**
 * The type that server-side apply merges and tracks objects of this schema by, from its list and map types. `metadata` is the type of
 * object metadata. Source: Kubernetes documentation, "Server-Side Apply", "Merge strategy".
 */
export function objectMergeShape(schema: StructuralSchema, metadata: MergeType): StructType {
  return structShape(schema, metadata, true);
}

/** Makes its fields on demand, because an object has few of those that a large schema declares. */
function structShape(schema: StructuralSchema, metadata: MergeType, isResource: boolean): StructType {
  const known = new Map<string, StructField>();
  const made = (name: string): StructField | undefined => {
    const ofObject = isResource ? objectField(name, metadata) : undefined;
    if (ofObject !== undefined) return fieldOf(ofObject);
    const property = schema.properties.get(name);
    return property && fieldOf(shapeOf(property, metadata), property.default);
  };
  return {
    kind: "struct",
    atomic: schema.mapType === "atomic",
    others: schema.preservesUnknown || schema.additional === true ? deducedType : undefined,
    field(name) {
      const field = known.get(name);
      if (field !== undefined) return field;
      const fresh = made(name);
      if (fresh !== undefined) known.set(name, fresh);
      return fresh;
    },
  };
}

function objectField(name: string, metadata: MergeType): MergeType | undefined {
  if (name === "apiVersion" || name === "kind") return scalars.string;
  return name === "metadata" ? metadata : undefined;
}

function fieldOf(type: MergeType, value?: StructField["default"]): StructField {
  return { type, default: value, implicit: undefined };
}

function shapeOf(schema: StructuralSchema, metadata: MergeType): MergeType {
  if (schema.isIntOrString) return scalars.untyped;
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return scalars[schema.type];
    case "array":
      return listShape(schema, metadata);
    case "object":
      return mapShape(schema, metadata);
    default:
      return schema.properties.size > 0 ? mapShape(schema, metadata) : deducedType;
  }
}

function listShape(schema: StructuralSchema, metadata: MergeType): MergeType {
  const element = schema.items === undefined ? deducedType : shapeOf(schema.items, metadata);
  const relation = schema.listType === "map" || schema.listType === "set" ? schema.listType : "atomic";
  return { kind: "list", relation, keys: schema.listMapKeys.toSorted(), element };
}

function mapShape(schema: StructuralSchema, metadata: MergeType): MergeType {
  if (schema.isEmbedded) return structShape(schema, metadata, true);
  if (schema.properties.size > 0) return structShape(schema, metadata, false);
  const atomic = schema.mapType === "atomic";
  if (typeof schema.additional === "object") {
    return { kind: "map", atomic, element: shapeOf(schema.additional, metadata) };
  }
  if (atomic) return { kind: "map", atomic, element: deducedType };
  // The members of an untyped object are unknown; they exist only if unknown fields are preserved.
  return deducedType;
}
