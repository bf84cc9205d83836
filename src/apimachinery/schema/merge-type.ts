import type { JsonValue } from "../json/json-value.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * How values merge and are owned. Compiled from a kind's schema on demand; for custom resources, built from their structural schema.
 */
export type MergeType = ScalarType | ListType | StructType | MapType | DeducedType;

export interface ScalarType {
  readonly kind: "scalar";
  /** "untyped" takes any scalar (quantities, ports by number or name), "opaque" any value (data of other programs). */
  readonly scalar: "string" | "numeric" | "boolean" | "untyped" | "opaque";
}

export interface ListType {
  readonly kind: "list";
  /** "map": items are objects known by `keys`; "set": items are scalars; "atomic": owned as a whole. */
  readonly relation: "atomic" | "set" | "map";
  /** Sorted. */
  readonly keys: readonly string[];
  /** Whether one key is enough to name an item, as at levels from 1.34 on. */
  readonly mayOmitKeys: boolean;
  readonly element: MergeType;
}

export interface StructType {
  readonly kind: "struct";
  readonly atomic: boolean;
  field(name: string): StructField | undefined;
  /** Fields that have an `implicit` value. */
  readonly implicitNames?: readonly string[];
  /** The type of undeclared fields; undefined when they are not allowed. */
  readonly others: MergeType | undefined;
}

export interface StructField {
  readonly type: MergeType;
  /** The default of a key that an item omits. */
  readonly default: JsonValue | undefined;
  /**
   * The value that Kubernetes assumes for an absent field: `{}` for messages that are not pointers, the zero value for scalars, and null
   * for pointers, lists and maps that are always written. Decides what counts as a change, and who owns the field itself apart from its contents.
   */
  readonly implicit: JsonValue | undefined;
}

export interface MapType {
  readonly kind: "map";
  readonly atomic: boolean;
  readonly element: MergeType;
}

/** The type of values without a schema: objects merge field by field, lists are atomic. */
export interface DeducedType {
  readonly kind: "deduced";
}

export const deducedType: DeducedType = { kind: "deduced" };
/** The members of an object without a schema. */
export const deducedMap: MapType = { kind: "map", atomic: false, element: deducedType };

/** The type of a field or of a map's value; undefined for a field that is not allowed. */
export function memberType(type: StructType | MapType, name: string): MergeType | undefined {
  return type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others);
}

const untyped: ScalarType = { kind: "scalar", scalar: "untyped" };
const opaque: ScalarType = { kind: "scalar", scalar: "opaque" };
const text: ScalarType = { kind: "scalar", scalar: "string" };
const numeric: ScalarType = { kind: "scalar", scalar: "numeric" };
const boolean: ScalarType = { kind: "scalar", scalar: "boolean" };

/** Compiles each message once. Keep one instance for all kinds of a server: they share most of their types. */
export class MergeTypes {
  readonly #mayOmitKeys: boolean;
  readonly #granular = new Map<MessageSchema, MessageMergeType>();
  readonly #atomic = new Map<MessageSchema, MessageMergeType>();

  /** `mayOmitKeys`: see `ListType`. */
  constructor({ mayOmitKeys }: Pick<ListType, "mayOmitKeys">) {
    this.#mayOmitKeys = mayOmitKeys;
  }

  of(message: MessageSchema): StructType {
    return this.#message(message, message.structType === "atomic");
  }

  #message(message: MessageSchema, atomic: boolean): StructType {
    const cache = atomic ? this.#atomic : this.#granular;
    let type = cache.get(message);
    if (type === undefined) {
      type = new MessageMergeType(message, atomic, (field) => this.#field(field));
      cache.set(message, type);
    }
    return type;
  }

  #field(field: FieldSchema): MergeType {
    const atomic = field.structure === "atomic";
    switch (field.cardinality) {
      case "one":
        return this.#element(field.element, atomic);
      case "map":
        return { kind: "map", atomic, element: this.#element(field.element) };
      case "list":
        return {
          kind: "list",
          relation: field.listType ?? "atomic",
          keys: field.listMapKeys.toSorted(),
          mayOmitKeys: this.#mayOmitKeys,
          element: this.#element(field.element),
        };
    }
  }

  /** `atomic`: the field's own setting, where it overrides its type's. */
  #element(element: ElementType, atomic?: boolean): MergeType {
    switch (element.kind) {
      case "any":
        return deducedType;
      case "message":
        return this.#message(element.message, atomic ?? element.message.structType === "atomic");
      case "scalar":
        switch (element.scalar) {
          case "bool":
            return boolean;
          case "string":
          case "bytes":
            return text;
          default:
            return numeric;
        }
      case "special":
        switch (element.special) {
          case "Time":
          case "MicroTime":
          case "Duration":
            return text;
          case "Quantity":
          case "IntOrString":
            return untyped;
          case "RawExtension":
            return opaque;
          case "StringList":
            return { kind: "list", relation: "atomic", keys: [], mayOmitKeys: false, element: text };
          default:
            return deducedType;
        }
    }
  }
}

class MessageMergeType implements StructType {
  readonly kind = "struct";
  readonly atomic: boolean;
  readonly others: undefined;
  readonly #message: MessageSchema;
  readonly #compile: (field: FieldSchema) => MergeType;
  readonly #fields = new Map<string, StructField>();
  #implicitNames: readonly string[] | undefined;

  constructor(message: MessageSchema, atomic: boolean, compile: (field: FieldSchema) => MergeType) {
    this.#message = message;
    this.atomic = atomic;
    this.#compile = compile;
    if (message.kind !== undefined) {
      const typeField = { type: text, default: undefined, implicit: undefined };
      this.#fields.set("apiVersion", typeField).set("kind", typeField);
    }
  }

  get implicitNames(): readonly string[] {
    this.#implicitNames ??= [...this.#message.jsonFields]
      .filter(([, field]) => implicitOf(field) !== undefined)
      .map(([name]) => name);
    return this.#implicitNames;
  }

  field(name: string): StructField | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const schema = this.#message.jsonFields.get(name);
    if (schema === undefined) return undefined;
    const field = { type: this.#compile(schema), default: defaultOf(schema), implicit: implicitOf(schema) };
    this.#fields.set(name, field);
    return field;
  }
}

/** Kubernetes' documents give the zero value as default to every scalar that is always written. */
function defaultOf(field: FieldSchema): JsonValue | undefined {
  if (field.default !== undefined || field.element.kind !== "scalar" || field.pointer) return field.default;
  return field.cardinality === "one" ? implicitOf(field) : undefined;
}

function implicitOf(field: FieldSchema): JsonValue | undefined {
  if (field.pointer) return field.omitempty ? undefined : null;
  if (field.cardinality !== "one") return field.omitempty ? undefined : null;
  switch (field.element.kind) {
    case "message":
      return {};
    case "scalar":
      if (field.omitempty) return undefined;
      switch (field.element.scalar) {
        case "string":
          return "";
        case "bool":
          return false;
        case "bytes":
          return null;
        default:
          return 0;
      }
    case "special":
      if (field.omitzero) return undefined;
      return field.element.special === "Time" || field.element.special === "MicroTime" ? null : undefined;
    case "any":
      return undefined;
  }
}
