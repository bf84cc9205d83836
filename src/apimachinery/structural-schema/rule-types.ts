import { type CelType, type ObjectField, scalarTypes } from "../cel/cel-type.js";
import { escapedWord, reservedWords } from "../cel/reserved-words.js";
import type { StructuralSchema } from "./structural-schema.js";

/** No larger request is accepted. */
const requestBytesMax = 3 * 1024 * 1024;
/** Without quotes, brackets or braces. */
const contentBytesMax = requestBytesMax - 2;

/**
 * The CEL type of the values of a schema; undefined where rules cannot refer to them. With `isResource` the value has kind,
 * apiVersion, and the names from its metadata. A field that is null is absent. Source: Kubernetes documentation, "Validation rules", and KEP-2876.
 */
export function ruleType(
  schema: StructuralSchema,
  isResource: boolean,
  name = "object",
): CelType | undefined {
  if (schema.isIntOrString) return { kind: "dyn", sizeMax: contentBytesMax };
  switch (schema.type) {
    case "boolean":
      return scalarTypes.bool;
    case "integer":
      return scalarTypes.int;
    case "number":
      return scalarTypes.double;
    case "string":
      return textType(schema);
    case "array":
      return listType(schema, name);
    case "object":
      return objectType(schema, isResource || schema.isEmbedded, name);
    default:
      return undefined;
  }
}

function textType(schema: StructuralSchema): CelType {
  const { format, maxLength } = schema;
  switch (format) {
    case "byte":
      return { kind: "bytes", sizeMax: maxLength ?? contentBytesMax };
    case "duration":
      return { ...scalarTypes.duration, sizeMax: 32 };
    case "date":
      return { ...scalarTypes.timestamp, sizeMax: 12 };
    case "date-time":
      return { ...scalarTypes.timestamp, sizeMax: 37 };
    default:
      return { kind: "string", sizeMax: textBytesMax(schema) };
  }
}

function textBytesMax({ maxLength, enum: listed }: StructuralSchema): number {
  // A character takes up to four bytes.
  if (maxLength !== undefined) return maxLength * 4;
  if (listed === undefined) return contentBytesMax;
  return listed.values.reduce<number>(
    (max, value) => Math.max(max, typeof value === "string" ? Buffer.byteLength(value) : 0),
    0,
  );
}

/** Whether `ruleType` gives a type. */
function hasRuleType(schema: StructuralSchema): boolean {
  for (let at: StructuralSchema | undefined = schema; at !== undefined; ) {
    if (at.isIntOrString) return true;
    if (at.type === "array") at = at.items;
    else if (at.type === "object" && typeof at.additional === "object") at = at.additional;
    else return at.type !== undefined;
  }
  return false;
}

/** A field's type is made on demand: otherwise each schema with rules would hold the types of everything below it. */
class DeclaredField implements ObjectField {
  readonly name: string;
  readonly #schema: StructuralSchema;
  readonly #objectName: string;
  #type: CelType | undefined;

  constructor(schema: StructuralSchema, name: string, objectName: string) {
    this.name = name;
    this.#schema = schema;
    this.#objectName = objectName;
  }

  get type(): CelType {
    this.#type ??= ruleType(this.#schema, this.#schema.isEmbedded, `${this.#objectName}.${this.name}`);
    if (this.#type === undefined) throw new Error(`${this.#objectName}.${this.name} has no type`);
    return this.#type;
  }
}

function listType(schema: StructuralSchema, name: string): CelType | undefined {
  const { items, maxItems, listType: relation } = schema;
  const element = items && ruleType(items, items.isEmbedded, `${name}.@items`);
  if (items === undefined || element === undefined) return undefined;
  return {
    kind: "list",
    element,
    sizeMax: maxItems ?? Math.floor(contentBytesMax / (bytesMin(items) + 1)),
    ...(relation === "set" && { relation }),
    ...(relation === "map" && { relation, keys: schema.listMapKeys }),
  };
}

function objectType(schema: StructuralSchema, isResource: boolean, name: string): CelType | undefined {
  const { additional, maxProperties } = schema;
  if (typeof additional === "object") {
    const value = ruleType(additional, additional.isEmbedded, `${name}.@values`);
    if (value === undefined) return undefined;
    const sizeMax = maxProperties ?? Math.floor(contentBytesMax / (bytesMin(additional) + 6));
    return { kind: "map", key: keyText, value, sizeMax };
  }
  const fields = new Map<string, ObjectField>();
  for (const [property, inner] of schema.properties) {
    const escaped = celNameOf(property);
    if (escaped !== undefined && hasRuleType(inner))
      fields.set(escaped, new DeclaredField(inner, property, name));
  }
  if (isResource) {
    for (const field of ["apiVersion", "kind"]) {
      if (!fields.has(field)) fields.set(field, { name: field, type: nameText });
    }
    fields.set("metadata", { name: "metadata", type: metadataType });
  }
  return { kind: "object", name, fields };
}

/** Cost estimates ignore the length of keys. */
const keyText: CelType = { kind: "string", sizeMax: 0 };

const nameText: CelType = { kind: "string", sizeMax: contentBytesMax };

const metadataType: CelType = {
  kind: "object",
  name: "object.metadata",
  fields: new Map(["name", "generateName"].map((name) => [name, { name, type: nameText }])),
};

/** How many values of the schema fit into a request. */
export function countMax(schema: StructuralSchema): number {
  return Math.floor(requestBytesMax / (bytesMin(schema) + 1));
}

/** The length of the shortest JSON of a value. */
function bytesMin(schema: StructuralSchema): number {
  if (schema.isIntOrString) return 1;
  switch (schema.type) {
    case "boolean":
      return 4;
    case "integer":
    case "number":
      return 1;
    case "object": {
      if (typeof schema.additional === "object") return 2;
      let bytes = 2;
      for (const name of schema.required) {
        const property = schema.properties.get(name);
        if (property !== undefined && property.default === undefined)
          bytes += name.length + 4 + bytesMin(property);
      }
      return bytes;
    }
    case "string":
      return textBytesMin[schema.format ?? ""] ?? 2;
    default:
      return 2;
  }
}

const textBytesMin: Readonly<Record<string, number>> = { duration: 3, date: 12, "date-time": 21 };

/**
 * The name of a field in rules: `__dot__` for a dot, `__dash__`, `__slash__`, `__underscores__` for two underscores, and reserved
 * words between underscores. Undefined for names that rules cannot express.
 */
export function celNameOf(name: string): string | undefined {
  if (name.length > ruleNameLengthMax) return undefined;
  if (reservedWords.has(name)) return escapedWord(name);
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (part) => escapes[part] ?? part);
}

/** Kubernetes has no limit. */
const ruleNameLengthMax = 4096;

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};
