import { type FieldError, type FieldPath, required } from "../../../apimachinery/field-error.js";
import { Pace, type Steps } from "../../../apimachinery/steps.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";

/**
 * Whatever `allOf`, `anyOf`, `oneOf` and `not` restrict must also be part of the structure. Errors are found in steps.
 */
export function* completenessErrors(schema: JSONSchemaProps, path: FieldPath): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  yield* findInJunctors(schema, { structure: schema, structurePath: path, errors, pace: new Pace() }, path);
  return errors;
}

interface Structure {
  /** Undefined where the structure specifies nothing. */
  readonly structure: JSONSchemaProps | undefined;
  readonly structurePath: FieldPath;
  readonly errors: FieldError[];
  readonly pace: Pace;
}

function* findInJunctors(values: JSONSchemaProps, at: Structure, path: FieldPath): Steps<void> {
  if (values.not !== undefined) yield* find(values.not, at, path.child("not"));
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, part] of (values[junctor] ?? []).entries()) {
      yield* find(part, at, path.child(junctor).index(index));
    }
  }
}

function* find(values: JSONSchemaProps, at: Structure, path: FieldPath): Steps<void> {
  const { structure, structurePath, errors, pace } = at;
  if (pace.isOver()) yield;
  if (structure === undefined) {
    errors.push(required(structurePath, `because it is defined in ${path}`));
    // The text of a long path.
    if (pace.isOver(workPerError)) yield;
    return;
  }
  yield* findInJunctors(values, at, path);
  const items = single(values.items);
  if (items !== undefined) {
    const inner = { ...at, structure: single(structure.items), structurePath: structurePath.child("items") };
    yield* find(items, inner, path.child("items"));
  }
  for (const [name, property] of Object.entries(values.properties ?? {})) {
    const { properties = {} } = structure;
    const inner = {
      ...at,
      structure: Object.hasOwn(properties, name) ? properties[name] : undefined,
      structurePath: structurePath.child("properties").key(name),
    };
    yield* find(property, inner, path.child("properties").key(name));
  }
}

const workPerError = 20;

function single(items: JSONSchemaProps["items"]): JSONSchemaProps | undefined {
  return Array.isArray(items) ? undefined : items;
}
