import { append } from "../../../apimachinery/collections/append.js";
import type { CustomResourceDefinitionSpec, JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { extensionsOf } from "../schema/schema-extensions.js";
import { subschemas } from "../schema/subschemas.js";
import { hasSchema } from "./rules.js";

/** CEL rules in schemas, behind a feature gate. `prefix` starts the profile's extension fields. */
export function hasValidationRules(spec: CustomResourceDefinitionSpec, prefix: string): boolean {
  return hasSchema(spec, (schema) => extensionsOf(schema, prefix).validations.length > 0);
}

export function dropValidationRules(spec: CustomResourceDefinitionSpec, prefix: string): void {
  const field = `x-${prefix.slice(2)}validations` as const;
  forEachSchema(spec, (schema) => {
    if (schema[field] !== undefined) schema[field] = undefined;
  });
}

/** Whether a rule sets `optionalOldSelf`, which has its own feature gate. */
export function hasOptionalOldSelf(spec: CustomResourceDefinitionSpec, prefix: string): boolean {
  return hasSchema(spec, (schema) =>
    extensionsOf(schema, prefix).validations.some(({ optionalOldSelf }) => optionalOldSelf !== undefined),
  );
}

export function dropOptionalOldSelf(spec: CustomResourceDefinitionSpec, prefix: string): void {
  forEachSchema(spec, (schema) => {
    for (const rule of extensionsOf(schema, prefix).validations) {
      if (rule.optionalOldSelf !== undefined) rule.optionalOldSelf = undefined;
    }
  });
}

function forEachSchema(spec: CustomResourceDefinitionSpec, visit: (schema: JSONSchemaProps) => void): void {
  const pending = (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  for (const schema of pending) {
    visit(schema);
    append(pending, subschemas(schema));
  }
}
