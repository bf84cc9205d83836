import { type CelType, type ObjectField, scalarTypes } from "../../../apimachinery/cel/cel-type.js";
import type { FieldSchema, MessageSchema } from "../../../apimachinery/schema/message-schema.js";
import { celNameOf, ruleType } from "../../../apimachinery/structural-schema/rule-types.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";

/** The type of the objects of a built-in kind, with kind and apiVersion. */
export function declaredType(message: MessageSchema, name: string): CelType {
  const type = objectType(message, name);
  if (type.kind !== "object") return type;
  const texts = ["apiVersion", "kind"].map((field): [string, ObjectField] => [
    field,
    { name: field, type: scalarTypes.string },
  ]);
  return { ...type, fields: new Map([...texts, ...type.fields]) };
}

/**
 * Like `declaredType`, for a custom resource; `metadata` is the type of all objects' metadata. Undefined if the schema declares nothing
 * about objects.
 */
export function customType(
  schema: StructuralSchema,
  name: string,
  metadata: MessageSchema,
): CelType | undefined {
  const type = ruleType(schema, true, name);
  if (type?.kind !== "object") return type;
  const field = { name: "metadata", type: objectType(metadata, `${name}.metadata`) };
  return { ...type, fields: new Map([...type.fields, ["metadata", field]]) };
}

function objectType(message: MessageSchema, name: string): CelType {
  const fields = new Map<string, ObjectField>();
  for (const [field, schema] of message.jsonFields) {
    if (schema.inline) continue;
    const escaped = celNameOf(field);
    if (escaped !== undefined) fields.set(escaped, new DeclaredField(schema, field, `${name}.${field}`));
  }
  return { kind: "object", name, fields };
}

/** Types may be recursive, so a field's type is made when an expression selects the field. */
class DeclaredField implements ObjectField {
  readonly name: string;
  readonly #schema: FieldSchema;
  readonly #typeName: string;
  #type: CelType | undefined;

  constructor(schema: FieldSchema, name: string, typeName: string) {
    this.name = name;
    this.#schema = schema;
    this.#typeName = typeName;
  }

  get type(): CelType {
    this.#type ??= this.#make();
    return this.#type;
  }

  #make(): CelType {
    const { cardinality } = this.#schema;
    const element = elementType(this.#schema, this.#typeName);
    if (cardinality === "list") return { kind: "list", element };
    return cardinality === "map" ? { kind: "map", key: scalarTypes.string, value: element } : element;
  }
}

const scalars: Readonly<Record<string, CelType>> = {
  string: scalarTypes.string,
  bool: scalarTypes.bool,
  int32: scalarTypes.int,
  int64: scalarTypes.int,
  double: scalarTypes.double,
  bytes: scalarTypes.bytes,
};

/** Specials that are texts or times in JSON; others may be anything. */
const specials: Readonly<Record<string, CelType>> = {
  Quantity: scalarTypes.string,
  Time: scalarTypes.timestamp,
  MicroTime: scalarTypes.timestamp,
  Duration: scalarTypes.string,
};

function elementType({ element }: FieldSchema, name: string): CelType {
  switch (element.kind) {
    case "scalar":
      return scalars[element.scalar] ?? scalarTypes.dyn;
    case "special":
      return specials[element.special] ?? scalarTypes.dyn;
    case "message":
      return objectType(element.message, name);
    default:
      return scalarTypes.dyn;
  }
}
