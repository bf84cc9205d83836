import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, numberOf, textOf } from "../json/json-values.js";
import { type ApiLevel, oldestLevel } from "../levels/api-level.js";
import { isCheckedLater } from "../validation/formats.js";
import { CheckedPattern } from "./checked-pattern.js";
import { addedByDefault } from "./missing-defaults.js";
import type { SchemaType, StructuralSchema, ValidationRule } from "./structural-schema.js";
import { ValueSet } from "./value-set.js";

/**
 * Parses a schema that has passed the validation of its definition, and ignores what that refuses. `prefix` starts the profile's
 * extension fields: `x-orch-`. Formats that only later levels than this check are left out.
 */
export function parseStructuralSchema(
  schema: JsonObject,
  prefix: string,
  level: ApiLevel = oldestLevel,
): StructuralSchema {
  return new SchemaParser(prefix, level).parse(schema);
}

/** Parsing so many nodes, with the properties they hold, takes some ten milliseconds. */
const nodesPerStep = 500;

/** See `parseStructuralSchema`. */
export class SchemaParser {
  readonly #names: Dialect;
  /** Nodes that steps have parsed. */
  readonly #parsed = new Map<JsonObject, StructuralSchema>();
  /** Most nodes say no more than their type, and share one of these. */
  readonly #ofTypeOnly = new Map<SchemaType, StructuralSchema>();

  constructor(prefix: string, level: ApiLevel) {
    this.#names = dialectOf(prefix, level);
  }

  parse(schema: JsonObject): StructuralSchema {
    return this.#parsed.get(schema) ?? this.#parseNode(schema);
  }

  /** Parses a large schema bottom-up in steps, so that `parse` finds its parts done. Run each step before taking the next one. */
  *steps(schema: JsonObject): Generator<() => void> {
    const nodes = [schema];
    for (let walked = 0; walked < nodes.length; ) {
      yield () => {
        const part = nodes.slice(walked, walked + nodesPerStep);
        for (const node of part) addNodesBelow(nodes, node);
        walked += part.length;
      };
    }
    for (let end = nodes.length; end > 0; end -= nodesPerStep) {
      yield () => {
        const part = nodes.slice(Math.max(end - nodesPerStep, 0), end);
        for (const node of part.reverse()) this.#parsed.set(node, this.parse(node));
      };
    }
  }

  #parseNode(schema: JsonObject): StructuralSchema {
    const onlyType = onlyTypeOf(schema);
    if (onlyType === undefined) return this.#parseFields(schema);
    let shared = this.#ofTypeOnly.get(onlyType);
    if (shared === undefined) {
      shared = this.#parseFields(schema);
      this.#ofTypeOnly.set(onlyType, shared);
    }
    return shared;
  }

  #parseFields(schema: JsonObject): StructuralSchema {
    const names = this.#names;
    const properties = this.#parseProperties(schema.properties);
    const { additionalProperties } = schema;
    const additional =
      typeof additionalProperties === "boolean" ? additionalProperties : this.#parseOne(additionalProperties);
    const items = this.#parseOne(schema.items);
    const allOf = this.#parseAll(schema.allOf);
    const anyOf = this.#parseAll(schema.anyOf);
    const oneOf = this.#parseAll(schema.oneOf);
    const not = this.#parseOne(schema.not);
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

  #parseProperties(value: JsonValue | undefined): ReadonlyMap<string, StructuralSchema> {
    if (!isJsonObject(value)) return noProperties;
    const properties = new Map<string, StructuralSchema>();
    for (const name of Object.keys(value).sort()) {
      const property = value[name];
      if (isJsonObject(property)) properties.set(name, this.parse(property));
    }
    return properties;
  }

  #parseOne(value: JsonValue | undefined): StructuralSchema | undefined {
    return isJsonObject(value) ? this.parse(value) : undefined;
  }

  #parseAll(value: JsonValue | undefined): readonly StructuralSchema[] {
    if (!isJsonArray(value)) return none;
    return value.flatMap((schema) => (isJsonObject(schema) ? [this.parse(schema)] : []));
  }
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

function addNodesBelow(nodes: JsonObject[], schema: JsonObject): void {
  const add = (value: JsonValue | undefined): void => {
    if (isJsonObject(value)) nodes.push(value);
  };
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  if (isJsonObject(properties)) for (const name in properties) add(properties[name]);
  add(additionalProperties);
  add(items);
  for (const branches of [allOf, anyOf, oneOf]) if (isJsonArray(branches)) branches.forEach(add);
  add(not);
}

/** The type of a schema that says nothing else about values. */
function onlyTypeOf(schema: JsonObject): SchemaType | undefined {
  for (const name in schema) if (name !== "type" && name !== "description") return undefined;
  return typeOf(schema.type);
}

function formatOf({ format }: JsonObject, level: ApiLevel): string {
  const name = textOf(format);
  return name === "" || isCheckedLater(name, level) ? "" : name;
}

/** Most nodes have none. */
const noProperties: ReadonlyMap<string, StructuralSchema> = new Map();

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
