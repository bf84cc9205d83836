import { FieldPath, hasErrors } from "../../../apimachinery/field-error.js";
import type { CustomResourceDefinitionSpec, JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { validateDefaults } from "../schema/default-validation.js";
import { hasDivisibleSetItems, mapKeyErrors } from "../schema/list-validation.js";
import { isUnsupported, type SchemaRules, schemaTypes } from "../schema/openapi-validation.js";
import { validateStructural } from "../schema/structural-validation.js";
import { someSchema } from "../schema/subschemas.js";
import { hasKnownReviewVersion } from "./conversion-validation.js";

/** Rules that stored definitions may predate; updates of such definitions need not meet them either. */
export interface SpecRules extends SchemaRules {
  readonly schemas: boolean;
  readonly structural: boolean;
  readonly prunedDefaults: boolean;
  readonly knownReviewVersion: boolean;
}

export function newDefinitionRules(prefix: string): SpecRules {
  return {
    prefix,
    schemas: true,
    structural: true,
    prunedDefaults: true,
    knownReviewVersion: true,
    validTypes: true,
    atomicSetItems: true,
    mapListKeys: true,
  };
}

export function updatedDefinitionRules(old: CustomResourceDefinitionSpec, prefix: string): SpecRules {
  const versions = old.conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    prefix,
    schemas: (old.versions ?? []).every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    structural: schemasOf(old).every((schema) => isStructural(schema, prefix)),
    prunedDefaults: schemasOf(old).every((schema) => hasPrunedDefaults(schema, prefix)),
    knownReviewVersion: versions.length === 0 || hasKnownReviewVersion(versions),
    validTypes: !hasSchema(old, ({ type = "" }) => type !== "" && !schemaTypes.includes(type)),
    atomicSetItems: !hasSchema(old, (schema) => hasDivisibleSetItems(schema, prefix)),
    mapListKeys: !hasSchema(old, (schema) => hasErrors(() => mapKeyErrors(schema, FieldPath.of(""), prefix))),
  };
}

/** Whether `test` holds for a schema of some version, or for any of its subschemas. */
export function hasSchema(
  spec: CustomResourceDefinitionSpec,
  test: (schema: JSONSchemaProps) => boolean,
): boolean {
  return schemasOf(spec).some((schema) => someSchema(schema, test));
}

function schemasOf(spec: CustomResourceDefinitionSpec): JSONSchemaProps[] {
  return (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

function isStructural(schema: JSONSchemaProps, prefix: string): boolean {
  if (someSchema(schema, isUnsupported)) return false;
  return !hasErrors(() => validateStructural(schema, FieldPath.of(""), prefix));
}

function hasPrunedDefaults(schema: JSONSchemaProps, prefix: string): boolean {
  return (
    !isStructural(schema, prefix) || !hasErrors(() => validateDefaults(schema, FieldPath.of(""), prefix))
  );
}
