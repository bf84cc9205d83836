import { append } from "../../../apimachinery/collections/append.js";
import type { CustomResourceDefinitionSpec } from "../../gen/apiextensions-v1.js";
import { extensionsOf } from "../schema/schema-extensions.js";
import { subschemas } from "../schema/subschemas.js";
import { hasSchema } from "./rules.js";

/** CEL rules in schemas, behind a feature gate. `prefix` starts the profile's extension fields. */
export function hasValidationRules(spec: CustomResourceDefinitionSpec, prefix: string): boolean {
  return hasSchema(spec, (schema) => extensionsOf(schema, prefix).validations.length > 0);
}

export function dropValidationRules(spec: CustomResourceDefinitionSpec, prefix: string): void {
  const field = `x-${prefix.slice(2)}validations` as const;
  const pending = (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  for (const schema of pending) {
    if (schema[field] !== undefined) schema[field] = undefined;
    append(pending, subschemas(schema));
  }
}
