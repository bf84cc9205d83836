import type { JsonValue } from "../json/json-value.js";
import type { CheckedPattern } from "./checked-pattern.js";
import type { ValueSet } from "./value-set.js";

export type SchemaType = "array" | "boolean" | "integer" | "number" | "object" | "string";

export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  /** An expression that makes the message and takes precedence over `message`; empty when unset. */
  readonly messageExpression: string;
  /** Default: `FieldValueInvalid`. */
  readonly reason: string;
  /** The field that errors name, relative to the field with the rule: `.spec.ports[0]`. */
  readonly fieldPath: string;
  /** If true, the rule also runs when there is no earlier value, and `oldSelf` is an optional value. Source: KEP-4008. */
  readonly optionalOldSelf: boolean | undefined;
}

/**
 * A node of a structural schema, which declares custom resources in OpenAPI v3. Also represents the schemas in `allOf`, `anyOf`,
 * `oneOf` and `not`, which restrict values but declare no structure. Immutable. Source: Kubernetes documentation, "Extend the
 * Kubernetes API with CustomResourceDefinitions".
 */
export interface StructuralSchema {
  /** Undefined where any type is allowed. */
  readonly type: SchemaType | undefined;
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** The schema of additional properties; true and false allow or forbid them. */
  readonly additional: StructuralSchema | boolean | undefined;
  readonly items: StructuralSchema | undefined;
  readonly default: JsonValue | undefined;
  readonly preservesUnknown: boolean;
  /** An embedded object with its own kind, apiVersion and metadata. */
  readonly isEmbedded: boolean;
  readonly isIntOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];

  readonly format: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: CheckedPattern | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly enum: ValueSet | undefined;
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;

  /** The properties that have a default; few even if there are many properties. */
  readonly defaultedProperties: readonly (readonly [name: string, property: StructuralSchema])[];
  /** Bytes of JSON that the default adds to an object, with all defaults within it. */
  readonly defaultBytes: number;

  /** Whether this node or one below has a default, so that most objects need no second walk. */
  readonly hasDefaults: boolean;
  readonly hasEmbedded: boolean;
  readonly hasKeyedLists: boolean;
  readonly hasRules: boolean;
}
