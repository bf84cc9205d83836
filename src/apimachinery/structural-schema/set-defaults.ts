import { isJsonObject, type JsonValue } from "../json-value.js";
import { type OwnObject, ownObject, put } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";

/**
 * Sets defaults in place, and drops nulls that are neither nullable nor defaulted. The caller must own the value. Source: Kubernetes
 * documentation, "Defaulting and Nullable".
 */
export function setDefaults(value: JsonValue | undefined, schema: StructuralSchema): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (let index = 0; index < value.length; index++) {
      const item: JsonValue = value[index];
      if (item === null) {
        if (items.nullable || items.default === undefined) continue;
        value[index] = copyJson(items.default);
      }
      setDefaults(value[index], items);
    }
    return;
  }
  const object = ownObject(value);
  if (object !== undefined) setMembers(object, schema);
}

function setMembers(value: OwnObject, schema: StructuralSchema): void {
  for (const name in value) {
    const property = schemaOf(schema, name);
    if (property === undefined) continue;
    if (value[name] === null && !property.nullable && property.default === undefined) delete value[name];
  }
  if (schema.hasDefaults) {
    for (const [name, property] of schema.properties) {
      if (property.default === undefined) continue;
      const present = Object.hasOwn(value, name) ? value[name] : undefined;
      if (present === undefined || (present === null && !property.nullable)) {
        put(value, name, copyJson(property.default));
      }
    }
  }
  for (const name in value) {
    const member = value[name];
    const property = schemaOf(schema, name);
    if (property === undefined) continue;
    if (member === null && !property.nullable && property.default !== undefined) {
      put(value, name, copyJson(property.default));
    }
    if (typeof member === "object") setDefaults(value[name], property);
  }
}

function schemaOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const property = schema.properties.get(name);
  if (property !== undefined) return property;
  return typeof schema.additional === "object" ? schema.additional : undefined;
}

/** A deep copy without undefined members. */
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyJson(item));
  const copy: OwnObject = {};
  if (!isJsonObject(value)) return value;
  for (const name in value) {
    const member = value[name];
    if (member !== undefined) put(copy, name, copyJson(member));
  }
  return copy;
}
