import type { JsonObject, JsonValue } from "../../apimachinery/json-value.js";
import type { GroupVersionKind } from "../../apimachinery/meta.js";
import type { SpecialType } from "../../apimachinery/schema/declaration.js";
import type { ElementType, FieldSchema, MessageSchema } from "../../apimachinery/schema/message-schema.js";
import { unreachable } from "../../apimachinery/unreachable.js";
import type { Naming } from "../../naming/naming.js";
import type { ApiBody } from "./api-path.js";
import { upperFirst } from "./capitals.js";
import type { DefinitionNames } from "./definition-names.js";
import type { Descriptions } from "./descriptions.js";
import type { Dialect } from "./dialect.js";
import { specialSchema } from "./special-schemas.js";
import { Turns } from "./turns.js";

export interface TypeSource {
  has(name: string): boolean;
  message(name: string): MessageSchema;
}

export interface DefinitionsParts {
  readonly dialect: Dialect;
  readonly naming: Naming;
  readonly names: DefinitionNames;
  readonly types: TypeSource;
  readonly descriptions: Descriptions;
  /** Whether closed lists of values are shown (the gate OpenAPIEnums). */
  readonly enums: boolean;
  /** Every group and version served: options and watch events belong to all of them. */
  readonly servedVersions: readonly { readonly group: string; readonly version: string }[];
  /** The schema of a definition that is no declared type. */
  readonly givenSchema: (name: string, definitions: Definitions) => JsonObject;
}

/** The schemas of one document: of the types asked for, and of all that these refer to. */
export class Definitions {
  readonly dialect: Dialect;
  readonly #parts: DefinitionsParts;
  readonly #written = new Map<string, JsonObject>();
  /** Types referred to whose schema is still to be written. */
  readonly #waiting: (() => void)[] = [];

  constructor(parts: DefinitionsParts) {
    this.#parts = parts;
    this.dialect = parts.dialect;
  }

  /** The schema of a body, by reference. */
  ofBody(body: ApiBody): JsonObject {
    switch (body.kind) {
      case "type":
        return this.reference(body.name);
      case "definition":
        return this.referenceTo(body.name, () => this.#parts.givenSchema(body.name, this));
      case "text":
        return { type: "string" };
      default:
        return unreachable(body);
    }
  }

  /** A reference to a type by its full name, `core/v1.Pod`; the type is added to the document. */
  reference(typeName: string): JsonObject {
    return this.#messageReference(this.#parts.types.message(typeName));
  }

  /** A reference to a definition whose schema is given. */
  referenceTo(name: string, schema: () => JsonObject): JsonObject {
    if (!this.#written.has(name)) {
      this.#written.set(name, {});
      this.#waiting.push(() => this.#written.set(name, schema()));
    }
    return { $ref: `#/${this.dialect === "v2" ? "definitions" : "components/schemas"}/${name}` };
  }

  /** By name, sorted. */
  async finish(): Promise<JsonObject> {
    const turns = new Turns(definitionsPerTurn);
    for (let write = this.#waiting.pop(); write !== undefined; write = this.#waiting.pop()) {
      write();
      await turns.step();
    }
    return Object.fromEntries([...this.#written].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** What every object of the API begins with. */
  typeMetaProperties(): JsonObject {
    return {
      apiVersion: { description: "Group and version of this form of the object.", type: "string" },
      kind: { description: "The kind of object.", type: "string" },
    };
  }

  /** The schema of a property that is described. */
  described(schema: JsonObject, description: string): JsonObject {
    return this.#decorated(schema, { description });
  }

  #messageReference(message: MessageSchema): JsonObject {
    return this.referenceTo(this.#parts.names.ofType(message.name), () => this.#messageSchema(message));
  }

  #specialReference(special: SpecialType): JsonObject {
    const { names, types } = this.#parts;
    const schemaProps = () =>
      types.has(schemaPropsName) ? this.reference(schemaPropsName) : { type: "object" };
    const schema = () => specialSchema(special, this.dialect, schemaProps);
    const name = names.ofSpecial(special);
    return name === undefined ? schema() : this.referenceTo(name, schema);
  }

  #messageSchema(message: MessageSchema): JsonObject {
    const { extensionPrefix } = this.#parts.naming;
    const fields = [...message.jsonFields.values()];
    const properties: Record<string, JsonValue> = message.kind === undefined ? {} : this.typeMetaProperties();
    for (const field of fields) properties[field.name] = this.#property(message, field);
    const required = fields.filter((field) => isRequired(message, field)).map((field) => field.name);
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
      return this.#parts.servedVersions
        .map((served) => ({ ...served, kind: typeName }))
        .sort((a, b) => (`${a.group}/${a.version}` < `${b.group}/${b.version}` ? -1 : 1));
    }
    return message.kind === undefined ? [] : [{ group: "", version: "v1", kind: message.kind }];
  }

  #property(message: MessageSchema, field: FieldSchema): JsonObject {
    const description = this.#parts.descriptions.ofField(message.name, field.neutralName);
    const extensions = this.#extensions(field);
    const shape = this.#shape(field);
    const standard = this.dialect === "v3" ? defaultOf(field) : undefined;
    return this.#decorated(shape, {
      ...(description !== undefined && { description }),
      ...(standard !== undefined && { default: standard }),
      ...extensions,
    });
  }

  /** In 3.0 nothing may stand beside a reference. */
  #decorated(shape: JsonObject, around: JsonObject): JsonObject {
    const alone = shape.$ref === undefined || Object.keys(around).length === 0;
    if (this.dialect === "v2" || alone) return { ...shape, ...around };
    return { allOf: [shape], ...around };
  }

  #shape(field: FieldSchema): JsonObject {
    const element = this.#element(field.element);
    const closed = this.#parts.enums && field.enum !== undefined ? { ...element, enum: field.enum } : element;
    if (field.cardinality === "one") return closed;
    const standard = this.dialect === "v3" ? zeroOf(field.element) : undefined;
    const item = this.#decorated(closed, standard === undefined ? {} : { default: standard });
    return field.cardinality === "list"
      ? { items: item, type: "array" }
      : { additionalProperties: item, type: "object" };
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
    const atomicHere = field.cardinality !== "list" && field.structure === "atomic" && ofType !== "atomic";
    return {
      ...(declaredListType === "map" && { [`${extensionPrefix}list-map-keys`]: field.listMapKeys }),
      ...(declaredListType !== undefined && { [`${extensionPrefix}list-type`]: declaredListType }),
      ...(atomicHere && { [`${extensionPrefix}map-type`]: "atomic" }),
      ...(patchMergeKey !== undefined && { [`${extensionPrefix}patch-merge-key`]: patchMergeKey }),
      ...(patchStrategies.length > 0 && { [`${extensionPrefix}patch-strategy`]: patchStrategies.join(",") }),
    };
  }
}

/** Definitions that are written between two pauses. */
const definitionsPerTurn = 32;

const schemaPropsName = "apiextensions/v1.JSONSchemaProps";

const scalarSchemas = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { format: "int32", type: "integer" },
  int64: { format: "int64", type: "integer" },
  double: { format: "double", type: "number" },
  bytes: { format: "byte", type: "string" },
} as const;

/**
 * Fields that are told apart from absent although an object without them is invalid: pointers that Kubernetes
 * does not mark as optional.
 */
const requiredPointers: ReadonlySet<string> = new Set([
  "admissionregistration/v1.MutatingWebhook.sideEffects",
  "admissionregistration/v1.ValidatingWebhook.sideEffects",
  "apps/v1.DaemonSetSpec.selector",
  "apps/v1.DeploymentSpec.selector",
  "apps/v1.ReplicaSetSpec.selector",
  "apps/v1.StatefulSetSpec.selector",
  "core/v1.ScaleIOPersistentVolumeSource.secretRef",
  "core/v1.ScaleIOVolumeSource.secretRef",
  "networking/v1.HTTPIngressPath.pathType",
]);

function isRequired(message: MessageSchema, field: FieldSchema): boolean {
  return (
    (!field.optional && !field.omitempty && !field.pointer) ||
    requiredPointers.has(`${message.name}.${field.name}`)
  );
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

function defaultOf(field: FieldSchema): JsonValue | undefined {
  if (field.default !== undefined) return field.default;
  if (field.cardinality !== "one" || field.pointer) return undefined;
  return field.omitempty && field.element.kind === "scalar" ? undefined : zeroOf(field.element);
}

/** What a value that is always present begins as. */
function zeroOf(element: ElementType): JsonValue | undefined {
  if (element.kind === "message") return {};
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
