import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { printItems } from "./printed-schema.js";
import { extensionsOf } from "./schema-extensions.js";

const listTypes = ["atomic", "set", "map"];

/** Validates the declared merge strategy of lists. `mayDivideItems`: items of sets may be granular. */
export function listErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  prefix: string,
  mayDivideItems: boolean,
): FieldError[] {
  const { listType, listMapKeys } = extensionsOf(schema, prefix);
  const typePath = path.child("type");
  const listTypePath = path.child(`${prefix}list-type`);
  const { type = "" } = schema;
  const items = itemSchema(schema);
  const errors: FieldError[] = [];
  if (listType !== undefined && type !== "array") {
    const why = `must be array if ${prefix}list-type is specified`;
    errors.push(type === "" ? required(typePath, why) : invalid(typePath, type, why));
  } else if (!mayDivideItems && listType === "set" && items !== undefined) {
    append(errors, setItemErrors(items, path.child("items"), prefix));
  }
  if (listType !== undefined && !listTypes.includes(listType)) {
    errors.push(notSupported(listTypePath, listType, listTypes));
  }
  if (listMapKeys.length > 0 && listType !== "map") {
    const why = `must be map if ${prefix}list-map-keys is non-empty`;
    errors.push(listType === undefined ? required(listTypePath, why) : invalid(listTypePath, listType, why));
  }
  if (listType === "map") append(errors, mapListErrors(schema, listMapKeys, path, prefix));
  return errors;
}

/** Whether items of a set are granular, so that they would merge field by field. */
export function hasDivisibleSetItems(schema: JSONSchemaProps, prefix: string): boolean {
  const items = itemSchema(schema);
  if (extensionsOf(schema, prefix).listType !== "set" || items === undefined) return false;
  const { listType, mapType } = extensionsOf(items, prefix);
  if (items.type === "array") return listType !== undefined && listType !== "atomic";
  return items.type === "object" && mapType !== "atomic";
}

function setItemErrors(items: JSONSchemaProps, path: FieldPath, prefix: string): FieldError[] {
  const { listType, mapType } = extensionsOf(items, prefix);
  const why = `must be atomic as item of a list with ${prefix}list-type=set`;
  // Kubernetes prints the list's type in both errors.
  if (items.type === "array" && listType !== undefined && listType !== "atomic") {
    return [invalid(path.child(`${prefix}list-type`), listType, why)];
  }
  if (items.type === "object" && mapType !== "atomic") {
    return [invalid(path.child(`${prefix}map-type`), listType, why)];
  }
  return [];
}

function mapListErrors(
  schema: JSONSchemaProps,
  keys: readonly string[],
  path: FieldPath,
  prefix: string,
): FieldError[] {
  const keysPath = path.child(`${prefix}list-map-keys`);
  const itemsPath = path.child("items");
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(required(keysPath, `must not be empty if ${prefix}list-type is map`));
  }
  if (schema.items === undefined) {
    return [...errors, required(itemsPath, `must have a schema if ${prefix}list-type is map`)];
  }
  if (Array.isArray(schema.items)) {
    const why = `must only have a single schema if ${prefix}list-type is map`;
    return [...errors, invalid(itemsPath, printItems(schema.items, prefix), why)];
  }
  const items = schema.items;
  const { type = "", properties = {} } = items;
  if (type !== "object") {
    const why = `must be object if parent array's ${prefix}list-type is map`;
    return [...errors, invalid(itemsPath.child("type"), type, why)];
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = ownProperty(properties, key);
    if (property === undefined) {
      errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const why = `must be a scalar type if parent array's ${prefix}list-type is map`;
      errors.push(invalid(itemsPath.child("properties").key(key).child("type"), type, why));
    }
    if (seen.has(key)) errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
    seen.add(key);
  }
  return errors;
}

/** Fields that identify items of sets and maps must be required or have defaults. */
export function mapKeyErrors(schema: JSONSchemaProps, path: FieldPath, prefix: string): FieldError[] {
  const { listType, listMapKeys } = extensionsOf(schema, prefix);
  const items = itemSchema(schema);
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const itemsPath = path.child("items");
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const why = `cannot be nullable when ${prefix}list-type is ${listType}`;
    errors.push(forbidden(itemsPath.child("nullable"), why));
  }
  if (listType !== "map") return errors;
  const requiredNames = new Set(items.required);
  for (const key of listMapKeys) {
    const property = ownProperty(items.properties, key);
    if (property === undefined) continue;
    const at = itemsPath.child("properties").key(key);
    const because = `this property is in ${prefix}list-map-keys, so it`;
    if (!requiredNames.has(key) && property.default === undefined) {
      errors.push(required(at.child("default"), `${because} must have a default or be a required property`));
    }
    if (property.nullable === true)
      errors.push(forbidden(at.child("nullable"), `${because} cannot be nullable`));
  }
  return errors;
}

function ownProperty(properties: JSONSchemaProps["properties"], name: string): JSONSchemaProps | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function itemSchema({ items }: JSONSchemaProps): JSONSchemaProps | undefined {
  return Array.isArray(items) ? undefined : items;
}
