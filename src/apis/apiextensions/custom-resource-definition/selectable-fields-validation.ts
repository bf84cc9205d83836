import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps, SelectableField } from "../../gen/apiextensions-v1.js";

const fieldsMax = 8;
const selectableTypes: ReadonlySet<string | undefined> = new Set(["string", "boolean", "integer"]);

/** Fields that clients may select objects by. Source: KEP-4358. */
export function selectableFieldErrors(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps | undefined,
  path: FieldPath,
): FieldError[] {
  if (fields.length === 0) return [];
  if (schema === undefined) {
    return [invalid(path, "", "selectableFields may only be set when validations.schema is included")];
  }
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = path.index(index).child("jsonPath");
    if (jsonPath === "") {
      errors.push(required(at, ""));
      continue;
    }
    const found = findField(jsonPath, schema);
    if (found.problem !== undefined) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (/^\.metadata(\.|$)/.test(jsonPath)) {
      errors.push(invalid(at, jsonPath, "must not point to fields in metadata"));
    }
    if (!selectableTypes.has(found.schema?.type)) {
      const why =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      errors.push(invalid(at, jsonPath, why));
    }
    if (seen.has(jsonPath)) errors.push(duplicate(at, jsonPath));
    seen.add(jsonPath);
  }
  if (seen.size > fieldsMax) errors.push(tooMany(path, seen.size, fieldsMax));
  return errors;
}

interface FoundField {
  /** Undefined where anything is allowed. */
  readonly schema?: JSONSchemaProps | undefined;
  /** Why the path leads nowhere. */
  readonly problem?: string;
}

const nowhere: FoundField = { problem: "does not refer to a valid field" };

/** Finds the schema at the end of a path such as `.spec.colour`. */
function findField(jsonPath: string, root: JSONSchemaProps): FoundField {
  let schema: JSONSchemaProps | undefined = root;
  // Read step by step, because a path may be far longer than the schema is deep.
  const step = /([.[\]]|[^.[\]]+)([.[\]]|[^.[\]]+)?/y;
  for (let found = step.exec(jsonPath); found !== null; found = step.exec(jsonPath)) {
    const [, dot, name] = found;
    if (dot === "[") return { problem: "array notation is not allowed" };
    if (dot !== ".") return { problem: `expected [ or . but got: ${dot}` };
    if (name === undefined) return { problem: "unexpected end of JSON path" };
    const here: JSONSchemaProps = schema ?? {};
    const { properties, additionalProperties } = here;
    if (properties !== undefined) {
      schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) return nowhere;
    } else if (additionalProperties !== undefined) {
      schema = typeof additionalProperties === "object" ? additionalProperties : undefined;
    } else {
      return nowhere;
    }
  }
  return { schema };
}
