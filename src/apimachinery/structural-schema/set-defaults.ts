import { put } from "../collections/put.js";
import { copyJson } from "../json/json-copy.js";
import type { JsonValue } from "../json/json-value.js";
import { defaultFits, defaultsFit } from "./missing-defaults.js";
import { type OwnObject, ownObject } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";

/**
 * Sets defaults in place, and drops nulls that are neither nullable nor defaulted. With `keepsNulls`, nulls in fields with a type stay,
 * for validation to refuse. The caller must own the value. An object for which its defaults are too large (`defaultsFit`) stays as it is.
 * Source: Kubernetes documentation, "Defaulting and Nullable".
 */
export function setDefaults(
  value: JsonValue | undefined,
  schema: StructuralSchema,
  keepsNulls = false,
): void {
  if (defaultsFit(value, schema)) setIn(value, schema, keepsNulls);
}

/** Sets a missing member to its default, in place. */
export function setMemberDefault(value: OwnObject, name: string, schema: StructuralSchema): void {
  const property = memberSchema(schema, name);
  if (property?.default === undefined) return;
  if (Object.hasOwn(value, name) && value[name] !== undefined) return;
  if (!defaultFits(property)) return;
  const member = copyJson(property.default);
  setDefaults(member, property);
  put(value, name, member);
}

function setIn(value: JsonValue | undefined, schema: StructuralSchema, keepsNulls: boolean): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) setInItems(value, schema.items, keepsNulls);
    return;
  }
  const object = ownObject(value);
  if (object === undefined) return;
  dropNulls(object, schema, keepsNulls);
  setMembers(object, schema, keepsNulls);
}

function setInItems(items: JsonValue[], schema: StructuralSchema, keepsNulls: boolean): void {
  for (let index = 0; index < items.length; index++) {
    if (items[index] === null) {
      if (schema.nullable || schema.default === undefined) continue;
      items[index] = copyJson(schema.default);
    }
    setIn(items[index], schema, keepsNulls);
  }
}

function dropNulls(value: OwnObject, schema: StructuralSchema, keepsTyped: boolean): void {
  for (const name in value) {
    if (value[name] !== null) continue;
    const property = memberSchema(schema, name);
    if (property === undefined || property.nullable || property.default !== undefined) continue;
    const isTyped = property.type !== undefined || property.isIntOrString;
    if (!isTyped || !keepsTyped) delete value[name];
  }
}

function setMembers(value: OwnObject, schema: StructuralSchema, keepsNulls: boolean): void {
  for (const [name, property] of schema.defaultedProperties) {
    if (property.default === undefined) continue;
    const present = Object.hasOwn(value, name) ? value[name] : undefined;
    if (present === undefined || (present === null && !property.nullable)) {
      put(value, name, copyJson(property.default));
    }
  }
  for (const name in value) {
    if (typeof value[name] !== "object") continue;
    const property = memberSchema(schema, name);
    if (property === undefined) continue;
    if (value[name] === null && !property.nullable && property.default !== undefined) {
      put(value, name, copyJson(property.default));
    }
    setIn(value[name], property, keepsNulls);
  }
}

/** The schema of a member; undefined when it is not specified. */
export function memberSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const property = schema.properties.get(name);
  if (property !== undefined) return property;
  return typeof schema.additional === "object" ? schema.additional : undefined;
}
