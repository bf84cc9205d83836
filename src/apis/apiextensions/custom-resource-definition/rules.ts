import { FieldPath, findErrorsInSteps, hasErrors } from "../../../apimachinery/field-error.js";
import { isJsonObject } from "../../../apimachinery/json-value.js";
import type { Steps } from "../../../apimachinery/steps.js";
import type { ReadMeta } from "../../../apimachinery/structural-schema/embedded-objects.js";
import { structuralSchemaSteps } from "../../../apimachinery/structural-schema/structural-schema.js";
import type { CustomResourceDefinitionSpec, JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { hasUnprunedDefaults } from "../schema/default-validation.js";
import { hasDivisibleSetItems, mapKeyErrors } from "../schema/list-validation.js";
import { isUnsupported, type SchemaRules, schemaTypes } from "../schema/openapi-validation.js";
import { PatternCheck } from "../schema/regular-expression.js";
import { structuralErrors } from "../schema/structural-validation.js";
import { someSchema, someSchemaSteps } from "../schema/subschemas.js";
import { hasKnownReviewVersion } from "./conversion-validation.js";

/** Rules that stored definitions may predate; updates of such definitions need not meet them either. */
export type LaterRule =
  | "schemas"
  | "structural"
  | "prunedDefaults"
  | "knownReviewVersion"
  | "validTypes"
  | "atomicSetItems"
  | "mapListKeys";

export interface SpecRulesParts {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly readMeta: ReadMeta;
}

/** Which rules a definition must meet, and what is known of it: made for one request. */
export class SpecRules implements SchemaRules {
  readonly prefix: string;
  readonly readMeta: ReadMeta;
  readonly patterns = new PatternCheck();
  readonly #old: CustomResourceDefinitionSpec | undefined;
  readonly #required = new Map<LaterRule, boolean>();

  /** `old` is undefined for a new definition. */
  constructor({ prefix, readMeta }: SpecRulesParts, old: CustomResourceDefinitionSpec | undefined) {
    this.prefix = prefix;
    this.readMeta = readMeta;
    this.#old = old;
  }

  /** Whether a definition must meet the rule. Ask when it does not: the stored definition is read for the answer. */
  *requires(rule: LaterRule): Steps<boolean> {
    if (this.#old === undefined) return true;
    let required = this.#required.get(rule);
    if (required === undefined) {
      required = yield* this.#isMetBy(this.#old, rule);
      this.#required.set(rule, required);
    }
    return required;
  }

  *#isMetBy(old: CustomResourceDefinitionSpec, rule: LaterRule): Steps<boolean> {
    const { prefix } = this;
    switch (rule) {
      case "schemas":
        return (old.versions ?? []).every(({ schema }) => schema?.openAPIV3Schema !== undefined);
      case "structural":
        for (const schema of schemasOf(old)) if (!(yield* this.#isStructural(schema))) return false;
        return true;
      case "prunedDefaults":
        for (const schema of schemasOf(old)) if (!(yield* this.#hasPrunedDefaults(schema))) return false;
        return true;
      case "knownReviewVersion": {
        const versions = old.conversion?.webhook?.conversionReviewVersions ?? [];
        return versions.length === 0 || hasKnownReviewVersion(versions);
      }
      case "validTypes":
        return !(yield* hasSchemaSteps(old, ({ type = "" }) => type !== "" && !schemaTypes.includes(type)));
      case "atomicSetItems":
        return !(yield* hasSchemaSteps(old, (schema) => hasDivisibleSetItems(schema, prefix)));
      case "mapListKeys":
        return !(yield* hasSchemaSteps(old, (schema) =>
          hasErrors(() => mapKeyErrors(schema, FieldPath.of(""), prefix)),
        ));
    }
  }

  *#isStructural(schema: JSONSchemaProps): Steps<boolean> {
    if (yield* someSchemaSteps(schema, isUnsupported)) return false;
    const { errors } = yield* findErrorsInSteps(structuralErrors(schema, FieldPath.of(""), this));
    return errors.length === 0;
  }

  *#hasPrunedDefaults(schema: JSONSchemaProps): Steps<boolean> {
    if (!(yield* this.#isStructural(schema))) return true;
    const json: unknown = schema;
    if (!isJsonObject(json)) return true;
    const parsed = yield* structuralSchemaSteps(json, this.prefix);
    return !(yield* hasUnprunedDefaults(parsed));
  }
}

/** Whether `test` holds for a schema of some version, or for any of its subschemas. */
export function hasSchema(
  spec: CustomResourceDefinitionSpec,
  test: (schema: JSONSchemaProps) => boolean,
): boolean {
  return schemasOf(spec).some((schema) => someSchema(schema, test));
}

/** The same in steps. */
export function* hasSchemaSteps(
  spec: CustomResourceDefinitionSpec,
  test: (schema: JSONSchemaProps) => boolean,
): Steps<boolean> {
  for (const schema of schemasOf(spec)) if (yield* someSchemaSteps(schema, test)) return true;
  return false;
}

function schemasOf(spec: CustomResourceDefinitionSpec): JSONSchemaProps[] {
  return (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}
