import { presenceOf } from "./canonical.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/** Collects the other messages that a generated function calls. */
export class References {
  readonly #messages: MessageSchema[] = [];

  /** The variable bound to the functions of `message`. */
  variable(message: MessageSchema): string {
    let index = this.#messages.indexOf(message);
    if (index < 0) index = this.#messages.push(message) - 1;
    return `m${index}`;
  }

  get messages(): readonly MessageSchema[] {
    return this.#messages;
  }
}

export function member(object: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
}

/** The name that a generated function has for itself. */
export function ownName(schema: MessageSchema): string {
  return schema.name.slice(schema.name.indexOf(".") + 1);
}

export function text(value: string): string {
  return JSON.stringify(value);
}

type MessageElement = Extract<ElementType, { kind: "message" }>;

/** A JSON field of the type, and the local variable of generated code that holds its value. */
export interface Slot {
  readonly field: FieldSchema;
  readonly variable: string;
}

/** In declaration order, inlined messages flattened. */
export function slotsOf(schema: MessageSchema): Slot[] {
  return [...schema.jsonFields.values()].map((field, index) => ({ field, variable: `f${index}` }));
}

/**
 * Statements that create the object `o` from decoded values, in canonical form. The prototype of `Shape` is `Object.prototype`, so `o` is a
 * plain object, but V8 reserves space for its properties.
 */
export function assembleSlots(slots: readonly Slot[], references: References): string {
  const lines = ["const o = new Shape();"];
  for (const { field, variable } of slots) {
    const target = member("o", field.name);
    switch (presenceOf(field)) {
      case "always":
        lines.push(
          `${target} = ${variable} === undefined ? ${zero(field.element, references)} : ${variable};`,
        );
        break;
      case "unless-empty":
        // Lists and maps are checked for emptiness where they are made.
        lines.push(
          isScalarField(field)
            ? `if (${variable}) ${target} = ${variable};`
            : `if (${variable} !== undefined) ${target} = ${variable};`,
        );
        break;
      case "if-present":
        lines.push(
          `if (${variable} !== undefined) ${deferral(field, variable, references)}${target} = ${variable};`,
        );
        break;
    }
  }
  return lines.join("\n");
}

function deferral(
  { deferred, name, element }: FieldSchema,
  variable: string,
  references: References,
): string {
  if (!deferred || element.kind !== "message") return "";
  const decode = `${references.variable(element.message)}.decodeText`;
  return `if (${variable} instanceof DeferredMember) deferMember(o, ${text(name)}, ${variable}, ${decode}); else `;
}

function isScalarField(field: FieldSchema): boolean {
  return field.cardinality === "one" && field.element.kind === "scalar";
}

/** Source of the zero value. */
function zero(element: ElementType, references: References): string {
  switch (element.kind) {
    case "message":
      return withEmbeddedType(element, `${references.variable(element.message)}.clone(emptyObject)`);
    case "scalar":
      switch (element.scalar) {
        case "string":
        case "bytes":
          return '""';
        case "bool":
          return "false";
        default:
          return "0";
      }
    case "special":
      switch (element.special) {
        case "Quantity":
          return '"0"';
        case "IntOrString":
          return "0";
        case "Duration":
          return '"0s"';
        default:
          return "null";
      }
    case "any":
      return "null";
  }
}

/** Source of a message, with its kind and apiVersion if the field states them. */
export function withEmbeddedType({ embeddedType }: MessageElement, source: string): string {
  return embeddedType === undefined ? source : `Object.assign(${source}, ${JSON.stringify(embeddedType)})`;
}
