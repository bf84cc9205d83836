import { celEnvironment } from "../../../apimachinery/cel/cel-environment.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { FieldPath, findErrors, hasErrors } from "../../../apimachinery/errors/field-error.js";
import { isJsonObject } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { RuleEnvironment } from "../../../apimachinery/structural-schema/compiled-rules.js";
import type { ReadMeta } from "../../../apimachinery/structural-schema/embedded-objects.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import type { CustomResourceDefinitionSpec, JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { hasUnprunedDefaults } from "../schema/default-validation.js";
import { hasDivisibleSetItems, mapKeyErrors } from "../schema/list-validation.js";
import { isUnsupported, type SchemaRules, schemaTypes } from "../schema/openapi-validation.js";
import { PatternCheck } from "../schema/regular-expression.js";
import { extensionsOf } from "../schema/schema-extensions.js";
import { structuralErrors } from "../schema/structural-validation.js";
import { someSchema } from "../schema/subschemas.js";
import { bundleProblem, hasKnownReviewVersion } from "./conversion-validation.js";

/** Rules that stored definitions may not meet because they are older; their updates need not meet them either. */
export type LaterRule =
  | "schemas"
  | "structural"
  | "prunedDefaults"
  | "knownReviewVersion"
  | "validCaBundle"
  | "validTypes"
  | "atomicSetItems"
  | "mapListKeys";

export interface SpecRulesParts {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly readMeta: ReadMeta;
  readonly level: ApiLevel;
  /** The oldest level among the servers of the cluster; by default the one before this server's. */
  readonly oldestLevel?: ApiLevel | undefined;
}

/** Decides, for one request, which rules the definition must meet. */
export class SpecRules implements SchemaRules {
  readonly prefix: string;
  readonly level: ApiLevel;
  readonly readMeta: ReadMeta;
  readonly patterns = new PatternCheck();
  readonly environment: RuleEnvironment;
  readonly #old: CustomResourceDefinitionSpec | undefined;
  readonly #required = new Map<LaterRule, boolean>();
  #stored: Set<string> | undefined;

  /** `old` is undefined for a new definition. */
  constructor(
    { prefix, readMeta, level, oldestLevel }: SpecRulesParts,
    old: CustomResourceDefinitionSpec | undefined,
  ) {
    this.prefix = prefix;
    this.level = level;
    this.readMeta = readMeta;
    this.environment = (text) =>
      celEnvironment({
        level,
        oldestLevel,
        isStored: this.#storedExpressions().has(text),
        purpose: "rules",
      });
    this.#old = old;
  }

  /**
   * Whether the definition must meet the rule. Call it only for a rule that the definition breaks, because it may have to read the stored
   * definition.
   */
  requires(rule: LaterRule): boolean {
    if (rule === "validCaBundle" && !isAtLeast(this.level, "1.31")) return false;
    // A new definition with an invalid CA bundle is stored, but not served until the bundle is valid.
    if (this.#old === undefined) return rule !== "validCaBundle";
    let required = this.#required.get(rule);
    if (required === undefined) {
      required = this.#isMetBy(this.#old, rule);
      this.#required.set(rule, required);
    }
    return required;
  }

  /**
   * Whether the rules of a version may exceed the cost limit: since 1.29, if the schema is unchanged. A server that estimated lower may
   * have accepted it.
   */
  allowsCostlyRules(versionName: string, schema: JSONSchemaProps): boolean {
    if (!isAtLeast(this.level, "1.29")) return false;
    const old = this.#old?.versions?.find(({ name }) => name === versionName);
    return old !== undefined && isDeepEqual(old.schema?.openAPIV3Schema, schema);
  }

  /** The expressions of the stored definition, read when the first expression is compiled. */
  #storedExpressions(): ReadonlySet<string> {
    if (this.#stored === undefined) {
      this.#stored = new Set();
      if (this.#old !== undefined) collectExpressions(this.#old, this.prefix, this.#stored);
    }
    return this.#stored;
  }

  #isMetBy(old: CustomResourceDefinitionSpec, rule: LaterRule): boolean {
    const { prefix } = this;
    switch (rule) {
      case "schemas":
        return (old.versions ?? []).every(({ schema }) => schema?.openAPIV3Schema !== undefined);
      case "structural":
        for (const schema of schemasOf(old)) if (!this.#isStructural(schema)) return false;
        return true;
      case "prunedDefaults":
        for (const schema of schemasOf(old)) if (!this.#hasPrunedDefaults(schema)) return false;
        return true;
      case "knownReviewVersion": {
        const versions = old.conversion?.webhook?.conversionReviewVersions ?? [];
        return versions.length === 0 || hasKnownReviewVersion(versions);
      }
      case "validCaBundle":
        return bundleProblem(old) === undefined;
      case "validTypes":
        return !hasSchema(old, ({ type = "" }) => type !== "" && !schemaTypes.includes(type));
      case "atomicSetItems":
        return !hasSchema(old, (schema) => hasDivisibleSetItems(schema, prefix));
      case "mapListKeys":
        return !hasSchema(old, (schema) => hasErrors(() => mapKeyErrors(schema, FieldPath.of(""), prefix)));
    }
  }

  #isStructural(schema: JSONSchemaProps): boolean {
    if (someSchema(schema, isUnsupported)) return false;
    const { errors } = findErrors(() => structuralErrors(schema, FieldPath.of(""), this));
    return errors.length === 0;
  }

  #hasPrunedDefaults(schema: JSONSchemaProps): boolean {
    if (!this.#isStructural(schema)) return true;
    const json: unknown = schema;
    if (!isJsonObject(json)) return true;
    const parsed = parseStructuralSchema(json, this.prefix, this.level);
    return !hasUnprunedDefaults(parsed);
  }
}

function collectExpressions(spec: CustomResourceDefinitionSpec, prefix: string, into: Set<string>): void {
  hasSchema(spec, (schema) => {
    for (const { rule, messageExpression = "" } of extensionsOf(schema, prefix).validations) {
      into.add(rule);
      into.add(messageExpression);
    }
    return false;
  });
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
