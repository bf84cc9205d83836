import { append } from "../../../apimachinery/append.js";
import { type FieldError, type FieldPath, required } from "../../../apimachinery/field-error.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";

/**
 * Whatever `allOf`, `anyOf`, `oneOf` and `not` restrict must also be part of the structure. `structure` is undefined where the
 * structure specifies nothing.
 */
export function completenessErrors(
  values: JSONSchemaProps,
  structure: JSONSchemaProps | undefined,
  structurePath: FieldPath,
  valuesPath: FieldPath,
): FieldError[] {
  if (structure === undefined) return [required(structurePath, `because it is defined in ${valuesPath}`)];
  const errors: FieldError[] = [];
  const check = (part: JSONSchemaProps, at: FieldPath): void => {
    append(errors, nestedErrors(part, structure, structurePath, at));
  };
  if (values.not !== undefined) check(values.not, valuesPath.child("not"));
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, part] of (values[junctor] ?? []).entries()) {
      check(part, valuesPath.child(junctor).index(index));
    }
  }
  return errors;
}

function nestedErrors(
  values: JSONSchemaProps,
  structure: JSONSchemaProps | undefined,
  structurePath: FieldPath,
  valuesPath: FieldPath,
): FieldError[] {
  if (structure === undefined) return [required(structurePath, `because it is defined in ${valuesPath}`)];
  const errors = completenessErrors(values, structure, structurePath, valuesPath);
  const items = single(values.items);
  if (items !== undefined) {
    const [structureItems, valueItems] = [structurePath.child("items"), valuesPath.child("items")];
    append(errors, nestedErrors(items, single(structure.items), structureItems, valueItems));
  }
  for (const [name, property] of Object.entries(values.properties ?? {})) {
    const structureProperty = structurePath.child("properties").key(name);
    const valueProperty = valuesPath.child("properties").key(name);
    append(errors, nestedErrors(property, structure.properties?.[name], structureProperty, valueProperty));
  }
  return errors;
}

function single(items: JSONSchemaProps["items"]): JSONSchemaProps | undefined {
  return Array.isArray(items) ? undefined : items;
}
