import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * When a field is present in canonical form (see `Codec`):
 * - "always": absent values are replaced by `zeroOf` the element;
 * - "unless-empty": the zero scalar, the empty list and the empty map are left out, like absent values;
 * - "if-present": only absent values are left out.
 */
export type Presence = "always" | "unless-empty" | "if-present";

export function presenceOf(field: FieldSchema): Presence {
  if (field.cardinality !== "one")
    return field.omitempty && !field.keepsEmpty ? "unless-empty" : "if-present";
  const element = field.element;
  if (field.pointer || element.kind === "any") return "if-present";
  switch (element.kind) {
    case "message":
      return "always";
    case "scalar":
      if (element.scalar === "bytes") return field.omitempty ? "unless-empty" : "if-present";
      return field.omitempty ? "unless-empty" : "always";
    case "special":
      switch (element.special) {
        case "Quantity":
        case "IntOrString":
        case "Duration":
          return "always";
        case "StringList":
          return field.omitempty ? "unless-empty" : "if-present";
        default:
          return "if-present";
      }
  }
}

/** The stand-in for an absent value in a list or a map, or in a field that is always present. */
export function zeroOf(element: ElementType): unknown {
  switch (element.kind) {
    case "any":
      return null;
    case "message":
      return withEmbeddedType(element, assemble(element.message, new Map()));
    case "special":
      switch (element.special) {
        case "Quantity":
          return "0";
        case "IntOrString":
          return 0;
        case "Duration":
          return "0s";
        default:
          return null;
      }
    case "scalar":
      switch (element.scalar) {
        case "string":
        case "bytes":
          return "";
        case "bool":
          return false;
        default:
          return 0;
      }
  }
}

/** Sets, in place, the kind and apiVersion that messages of this element state. */
export function withEmbeddedType(element: ElementType, object: object): object {
  return element.kind === "message" ? Object.assign(object, element.embeddedType) : object;
}

/** Assembles decoded values in canonical form and declaration order. */
export function assemble(schema: MessageSchema, values: ReadonlyMap<string, unknown>): object {
  const object: { [name: string]: unknown } = {};
  for (const field of schema.jsonFields.values()) {
    const value = values.get(field.name) ?? undefined;
    switch (presenceOf(field)) {
      case "always":
        object[field.name] = value === undefined ? zeroOf(field.element) : value;
        break;
      case "unless-empty":
        if (value !== undefined && !isEmpty(value)) object[field.name] = value;
        break;
      case "if-present":
        if (value !== undefined) object[field.name] = value;
        break;
    }
  }
  return object;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
  }
  return value === "" || value === 0 || value === false;
}
