import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, numberOf, textOf } from "../json/json-values.js";
import { type ApiLevel, oldestLevel } from "../levels/api-level.js";
import { isCheckedLater } from "../validation/formats.js";
import { CheckedPattern } from "./checked-pattern.js";
import { addedByDefault } from "./missing-defaults.js";
import { ValueSet } from "./value-set.js";

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

/**
 * Parses a schema that has passed the validation of its definition, and ignores what that refuses. `prefix` starts the profile's
 * extension fields: `x-orch-`. Formats that only later levels than this check are left out.
 */
export function parseStructuralSchema(
  schema: JsonObject,
  prefix: string,
  level: ApiLevel = oldestLevel,
): StructuralSchema {
  return parseNode(schema, dialectOf(prefix, level));
}

/** The names of extension fields, made once, because concatenating them would take as long as everything else. */
interface Dialect {
  readonly level: ApiLevel;
  readonly embeddedResource: string;
  readonly intOrString: string;
  readonly listMapKeys: string;
  readonly listType: string;
  readonly mapType: string;
  readonly preserveUnknownFields: string;
  readonly validations: string;
}

function dialectOf(prefix: string, level: ApiLevel): Dialect {
  return {
    level,
    embeddedResource: `${prefix}embedded-resource`,
    intOrString: `${prefix}int-or-string`,
    listMapKeys: `${prefix}list-map-keys`,
    listType: `${prefix}list-type`,
    mapType: `${prefix}map-type`,
    preserveUnknownFields: `${prefix}preserve-unknown-fields`,
    validations: `${prefix}validations`,
  };
}

function parseNode(schema: JsonObject, names: Dialect): StructuralSchema {
  const properties = parseProperties(schema.properties, names);
  const { additionalProperties } = schema;
  const additional =
    typeof additionalProperties === "boolean" ? additionalProperties : parseOne(additionalProperties, names);
  const items = parseOne(schema.items, names);
  const allOf = parseAll(schema.allOf, names);
  const anyOf = parseAll(schema.anyOf, names);
  const oneOf = parseAll(schema.oneOf, names);
  const not = parseOne(schema.not, names);
  const listType = textOf(schema[names.listType]) || undefined;
  const rules = rulesOf(schema[names.validations]);
  const isEmbedded = schema[names.embeddedResource] === true;
  const below = [...properties.values()];
  if (typeof additional === "object") below.push(additional);
  if (items !== undefined) below.push(items);
  const pattern = textOf(schema.pattern);
  const defaultValue = schema.default ?? undefined;
  const nullable = schema.nullable === true;
  const hasDefaults = schema.default !== undefined || below.some((node) => node.hasDefaults);
  const defaultedProperties = hasDefaults
    ? [...properties].filter(([, property]) => property.default !== undefined)
    : none;
  const defaultBytes =
    defaultValue === undefined
      ? 0
      : addedByDefault(defaultValue, {
          nullable,
          properties,
          additional,
          items,
          defaultedProperties,
          hasDefaults,
        });
  // Written out, because an object of so many members that begins with a spread is created ten times as slowly.
  return {
    nullable,
    properties,
    additional,
    items,
    default: defaultValue,
    defaultedProperties,
    defaultBytes,
    type: typeOf(schema.type),
    preservesUnknown: schema[names.preserveUnknownFields] === true,
    isEmbedded,
    isIntOrString: schema[names.intOrString] === true,
    listType,
    listMapKeys: texts(schema[names.listMapKeys]),
    mapType: textOf(schema[names.mapType]) || undefined,
    rules,
    format: formatOf(schema, names.level),
    maximum: numberOf(schema.maximum),
    exclusiveMaximum: schema.exclusiveMaximum === true,
    minimum: numberOf(schema.minimum),
    exclusiveMinimum: schema.exclusiveMinimum === true,
    multipleOf: numberOf(schema.multipleOf),
    maxLength: numberOf(schema.maxLength),
    minLength: numberOf(schema.minLength),
    pattern: pattern === "" ? undefined : new CheckedPattern(pattern),
    maxItems: numberOf(schema.maxItems),
    minItems: numberOf(schema.minItems),
    maxProperties: numberOf(schema.maxProperties),
    minProperties: numberOf(schema.minProperties),
    required: texts(schema.required),
    enum: isJsonArray(schema.enum) && schema.enum.length > 0 ? new ValueSet(schema.enum) : undefined,
    allOf,
    anyOf,
    oneOf,
    not,
    hasDefaults,
    hasEmbedded: isEmbedded || below.some((node) => node.hasEmbedded),
    hasKeyedLists: listType === "set" || listType === "map" || below.some((node) => node.hasKeyedLists),
    hasRules: rules.length > 0 || below.some((node) => node.hasRules),
  };
}

function formatOf({ format }: JsonObject, level: ApiLevel): string {
  const name = textOf(format);
  return name === "" || isCheckedLater(name, level) ? "" : name;
}

function parseProperties(
  value: JsonValue | undefined,
  names: Dialect,
): ReadonlyMap<string, StructuralSchema> {
  if (!isJsonObject(value)) return noProperties;
  const properties = new Map<string, StructuralSchema>();
  for (const name of Object.keys(value).sort()) {
    const property = value[name];
    if (isJsonObject(property)) properties.set(name, parseNode(property, names));
  }
  return properties;
}

/** Most nodes have none. */
const noProperties: ReadonlyMap<string, StructuralSchema> = new Map();

function parseOne(value: JsonValue | undefined, names: Dialect): StructuralSchema | undefined {
  return isJsonObject(value) ? parseNode(value, names) : undefined;
}

function parseAll(value: JsonValue | undefined, names: Dialect): readonly StructuralSchema[] {
  if (!isJsonArray(value)) return none;
  return value.flatMap((schema) => (isJsonObject(schema) ? [parseNode(schema, names)] : []));
}

const none: readonly never[] = [];

const types: readonly SchemaType[] = ["array", "boolean", "integer", "number", "object", "string"];

function typeOf(value: JsonValue | undefined): SchemaType | undefined {
  return types.find((type) => type === value);
}

function texts(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === "string") : none;
}

function rulesOf(value: JsonValue | undefined): readonly ValidationRule[] {
  if (!isJsonArray(value)) return none;
  return value.flatMap((item) =>
    isJsonObject(item)
      ? [
          {
            rule: textOf(item.rule),
            message: textOf(item.message),
            messageExpression: textOf(item.messageExpression),
            reason: textOf(item.reason),
            fieldPath: textOf(item.fieldPath),
            optionalOldSelf: typeof item.optionalOldSelf === "boolean" ? item.optionalOldSelf : undefined,
          },
        ]
      : [],
  );
}
