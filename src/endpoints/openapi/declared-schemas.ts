import { unreachable } from "../../apimachinery/errors/unreachable.js";
import { printJsonByEngine } from "../../apimachinery/json/json-print.js";
import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { GroupVersion, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { SpecialType } from "../../apimachinery/schema/declaration.js";
import type { ElementType, FieldSchema, MessageSchema } from "../../apimachinery/schema/message-schema.js";
import { knownVersions } from "../../apis/known-versions.js";
import type { Naming } from "../../naming/naming.js";
import { upperFirst } from "./capitals.js";
import type { DefinitionNames } from "./definition-names.js";
import type { Descriptions } from "./descriptions.js";
import type { Dialect } from "./dialect.js";
import { specialSchema } from "./special-schemas.js";

export interface TypeSource {
  has(name: string): boolean;
  message(name: string): MessageSchema;
}

export interface DeclaredSchemasParts {
  readonly dialect: Dialect;
  readonly naming: Naming;
  readonly names: DefinitionNames;
  readonly types: TypeSource;
  readonly descriptions: Descriptions;
  /** Whether enums are published (the gate OpenAPIEnums). */
  readonly enums: boolean;
  readonly level: ApiLevel;
  /** Every group and version served. */
  readonly servedVersions: readonly GroupVersion[];
}

/** The schema of a definition, and the names of the definitions it refers to. */
export interface WrittenSchema {
  readonly schema: JsonObject;
  readonly references: readonly string[];
}

/** A definition that may be needed. */
interface Announced {
  readonly write: () => JsonObject;
  /** Whether documents of custom resources refer to it too. */
  readonly isShared: boolean;
}

/** Schemas of the declared types. Those of metadata, which every custom resource's document contains, are generated and printed once. */
export class DeclaredSchemas {
  readonly dialect: Dialect;
  readonly #parts: DeclaredSchemasParts;
  readonly #announced = new Map<string, Announced>();
  readonly #shared = new Map<string, WrittenSchema>();
  readonly #texts = new Map<JsonValue, string>();
  /** References of the schema that is being written. */
  #references: string[] = [];

  constructor(parts: DeclaredSchemasParts) {
    this.#parts = parts;
    this.dialect = parts.dialect;
  }

  /** The name of a type's definition, from its full name `core/v1.Pod`. Throws for a type that is not declared. */
  nameOf(typeName: string): string {
    const message = this.#parts.types.message(typeName);
    const name = this.#parts.names.ofType(message.name);
    this.#announce(name, () => this.#messageSchema(message), typeName.startsWith("meta/"));
    return name;
  }

  /** Throws for a name that neither `nameOf` nor a reference has returned. */
  schemaOf(name: string): WrittenSchema {
    const known = this.#shared.get(name);
    if (known !== undefined) return known;
    const announced = this.#announced.get(name);
    if (announced === undefined) throw new Error(`no definition is named ${name}`);
    this.#references = [];
    const schema = announced.write();
    const written = { schema, references: this.#references };
    if (announced.isShared) {
      this.#shared.set(name, written);
      this.#texts.set(schema, printJsonByEngine(schema));
    }
    return written;
  }

  /** JSON of a value. For a shared schema, it is cached. */
  print(value: JsonValue): string {
    return this.#texts.get(value) ?? printJsonByEngine(value);
  }

  #announce(name: string, write: () => JsonObject, isShared: boolean): void {
    if (!this.#announced.has(name)) this.#announced.set(name, { write, isShared });
  }

  #referenceTo(name: string): JsonObject {
    this.#references.push(name);
    return referenceTo(name, this.dialect);
  }

  #messageReference(message: MessageSchema): JsonObject {
    return this.#referenceTo(this.nameOf(message.name));
  }

  #specialReference(special: SpecialType): JsonObject {
    const { names, types } = this.#parts;
    const schemaProps = () =>
      types.has(schemaPropsName)
        ? this.#messageReference(types.message(schemaPropsName))
        : { type: "object" };
    const schema = () => specialSchema(special, this.dialect, schemaProps);
    const name = names.ofSpecial(special);
    if (name === undefined) return schema();
    this.#announce(name, schema, true);
    return this.#referenceTo(name);
  }

  #messageSchema(message: MessageSchema): JsonObject {
    const { extensionPrefix } = this.#parts.naming;
    const fields = [...message.jsonFields.values()];
    const properties: Record<string, JsonValue> = message.kind === undefined ? {} : { ...typeMetaProperties };
    for (const field of fields) properties[field.name] = this.#property(message, field);
    const required = fields.filter((field) => isRequired(field)).map((field) => field.name);
    const kinds = this.#kindsOf(message);
    return {
      description: this.#parts.descriptions.ofType(message.name),
      ...(fields.length > 0 && { properties: sorted(properties) }),
      ...(required.length > 0 && { required }),
      type: "object",
      ...(kinds.length > 0 && { [`${extensionPrefix}group-version-kind`]: kinds.map(kindExtension) }),
      ...(message.structType !== undefined && { [`${extensionPrefix}map-type`]: message.structType }),
      ...(message.union && { [`${extensionPrefix}unions`]: [unionOf(fields)] }),
    };
  }

  #kindsOf(message: MessageSchema): GroupVersionKind[] {
    const [packageName = "", typeName = ""] = splitName(message.name);
    if (packageName !== "meta/v1") {
      const { kind } = message;
      return kind === undefined ? [] : [{ ...this.#parts.names.groupVersionOf(message.name), kind }];
    }
    if (typeName === "DeleteOptions" || typeName === "WatchEvent") {
      return this.#allVersions().map((version) => ({ ...version, kind: typeName }));
    }
    return message.kind === undefined ? [] : [{ group: "", version: "v1", kind: message.kind }];
  }

  /** Options and watch events belong to all versions, served or not. In the order of their names. */
  #allVersions(): readonly GroupVersion[] {
    const { naming, level, servedVersions } = this.#parts;
    const versions = [...knownVersions(naming, level), ...servedVersions];
    const byName = new Map(versions.map((each) => [`${each.group}/${each.version}`, each]));
    return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, version]) => version);
  }

  #property(message: MessageSchema, field: FieldSchema): JsonObject {
    const description = this.#parts.descriptions.ofField(message.name, field.neutralName);
    const extensions = this.#extensions(field);
    const shape = this.#shape(field);
    const standard = this.dialect === "v3" ? defaultOf(field, this.#parts.level) : undefined;
    return decorated(this.dialect, shape, {
      ...(description !== undefined && { description }),
      ...(standard !== undefined && { default: standard }),
      ...extensions,
    });
  }

  #shape(field: FieldSchema): JsonObject {
    const element = this.#element(field.element);
    const values = this.#closedListOf(field);
    const closed = values === undefined ? element : { ...element, enum: [...values].sort() };
    if (field.cardinality === "one") return closed;
    const standard = this.dialect === "v3" ? zeroOf(field.element, this.#parts.level) : undefined;
    const item = decorated(this.dialect, closed, standard === undefined ? {} : { default: standard });
    return field.cardinality === "list"
      ? { items: item, type: "array" }
      : { additionalProperties: item, type: "object" };
  }

  /** Kubernetes publishes enums of pointers since 1.27, and of items of lists and maps since 1.30. */
  #closedListOf({ enum: values, cardinality, pointer }: FieldSchema): readonly string[] | undefined {
    const { enums, level } = this.#parts;
    if (!enums) return undefined;
    if (cardinality !== "one") return isAtLeast(level, "1.30") ? values : undefined;
    return !pointer || isAtLeast(level, "1.27") ? values : undefined;
  }

  #element(element: ElementType): JsonObject {
    switch (element.kind) {
      case "scalar":
        return scalarSchemas[element.scalar];
      case "special":
        return this.#specialReference(element.special);
      case "message":
        return this.#messageReference(element.message);
      case "any":
        return {};
      default:
        return unreachable(element);
    }
  }

  #extensions(field: FieldSchema): JsonObject {
    const { extensionPrefix } = this.#parts.naming;
    const { declaredListType, patchMergeKey, patchStrategies, element } = field;
    const ofType = element.kind === "message" ? element.message.structType : undefined;
    const { structure, declaredStructure } = field;
    const isMap = field.cardinality !== "list";
    const mapType =
      structure === "granular" ? declaredStructure : ofType === "atomic" ? undefined : structure;
    return {
      ...(declaredListType === "map" && { [`${extensionPrefix}list-map-keys`]: field.listMapKeys }),
      ...(declaredListType !== undefined && { [`${extensionPrefix}list-type`]: declaredListType }),
      ...(isMap && mapType !== undefined && { [`${extensionPrefix}map-type`]: mapType }),
      ...(patchMergeKey !== undefined && { [`${extensionPrefix}patch-merge-key`]: patchMergeKey }),
      ...(patchStrategies.length > 0 && { [`${extensionPrefix}patch-strategy`]: patchStrategies.join(",") }),
    };
  }
}

/** The first properties of every object. Conformance tests match the beginning of the first description. */
export const typeMetaProperties: JsonObject = {
  apiVersion: {
    description: "APIVersion defines the group and version of this form of the object.",
    type: "string",
  },
  kind: { description: "The kind of object.", type: "string" },
};

export function referenceTo(name: string, dialect: Dialect): JsonObject {
  return { $ref: `#/${dialect === "v2" ? "definitions" : "components/schemas"}/${name}` };
}

/** A schema with additional members. In OpenAPI 3.0, a reference must stand alone. */
export function decorated(dialect: Dialect, shape: JsonObject, around: JsonObject): JsonObject {
  const alone = shape.$ref === undefined || Object.keys(around).length === 0;
  if (dialect === "v2" || alone) return { ...shape, ...around };
  return { allOf: [shape], ...around };
}

const schemaPropsName = "apiextensions/v1.JSONSchemaProps";

const scalarSchemas = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { format: "int32", type: "integer" },
  int64: { format: "int64", type: "integer" },
  double: { format: "double", type: "number" },
  bytes: { format: "byte", type: "string" },
} as const;

function isRequired(field: FieldSchema): boolean {
  return field.required || (!field.optional && !field.omitempty);
}

function kindExtension({ group, kind, version }: GroupVersionKind): JsonObject {
  return { group, kind, version };
}

/** The members of a union, by the names that its discriminator gives them. */
function unionOf(fields: readonly FieldSchema[]): JsonObject {
  const discriminator = fields.find((field) => field.unionDiscriminator);
  const members = fields.filter((field) => !field.unionDiscriminator);
  return {
    ...(discriminator !== undefined && { discriminator: discriminator.name }),
    "fields-to-discriminateBy": Object.fromEntries(members.map(({ name }) => [name, upperFirst(name)])),
  };
}

function defaultOf(field: FieldSchema, level: ApiLevel): JsonValue | undefined {
  if (field.default !== undefined) return field.default;
  if (field.cardinality !== "one" || field.pointer) return undefined;
  return field.omitempty && field.element.kind === "scalar" ? undefined : zeroOf(field.element, level);
}

/** The default of a value that is always present. */
function zeroOf(element: ElementType, level: ApiLevel): JsonValue | undefined {
  if (element.kind === "message") return {};
  // Until 1.29, types of several forms had the default `{}`, although none of their values is an object.
  if (element.kind === "special" && element.special !== "StringList" && !isAtLeast(level, "1.29")) return {};
  if (element.kind !== "scalar" || element.scalar === "bytes") return undefined;
  if (element.scalar === "string") return "";
  return element.scalar === "bool" ? false : 0;
}

function sorted(properties: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function splitName(name: string): [packageName: string, typeName: string] {
  const dot = name.lastIndexOf(".");
  return [name.slice(0, dot), name.slice(dot + 1)];
}
