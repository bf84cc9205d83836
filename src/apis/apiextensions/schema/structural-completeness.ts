import { type FieldError, type FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";

/** Checks that fields restricted by `allOf`, `anyOf`, `oneOf` and `not` are declared in the structure too. */
export function completenessErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  findInJunctors(schema, { structure: schema, structurePath: path, errors }, path);
  return errors;
}

interface Structure {
  /** Undefined where the structure declares nothing. */
  readonly structure: JSONSchemaProps | undefined;
  readonly structurePath: FieldPath;
  readonly errors: FieldError[];
}

function findInJunctors(values: JSONSchemaProps, at: Structure, path: FieldPath): void {
  if (values.not !== undefined) find(values.not, at, path.child("not"));
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, part] of (values[junctor] ?? []).entries()) {
      find(part, at, path.child(junctor).index(index));
    }
  }
}

function find(values: JSONSchemaProps, at: Structure, path: FieldPath): void {
  const { structure, structurePath, errors } = at;
  if (structure === undefined) {
    errors.push(required(structurePath, `because it is defined in ${path}`));
    return;
  }
  findInJunctors(values, at, path);
  const items = single(values.items);
  if (items !== undefined) {
    const inner = { ...at, structure: single(structure.items), structurePath: structurePath.child("items") };
    find(items, inner, path.child("items"));
  }
  for (const [name, property] of Object.entries(values.properties ?? {})) {
    const { properties = {} } = structure;
    const inner = {
      ...at,
      structure: Object.hasOwn(properties, name) ? properties[name] : undefined,
      structurePath: structurePath.child("properties").key(name),
    };
    find(property, inner, path.child("properties").key(name));
  }
}

function single(items: JSONSchemaProps["items"]): JSONSchemaProps | undefined {
  return Array.isArray(items) ? undefined : items;
}
