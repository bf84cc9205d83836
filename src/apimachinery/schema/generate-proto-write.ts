import type { SpecialType } from "./declaration.js";
import { member, type References } from "./generated-code.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * Generates a function `(o, b, p) => p` that writes a message backwards into the buffer `b`, so that it ends before `p`. The bytes
 * equal those of Kubernetes' encoder: fields in order of their numbers, values that cannot be absent written even when zero.
 */
export function generateProtoWrite(
  schema: MessageSchema,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): string {
  const fields = [...schema.fields].sort((a, b) => b.number - a.number);
  const lines = fields.map((field) => writeField(field, { references, jsonSchemaProps }));
  return `
if (o === undefined || o === null) o = emptyObject;
let x, q;
${lines.join("\n")}
return p;`;
}

interface Context {
  readonly references: References;
  readonly jsonSchemaProps: () => MessageSchema;
}

function writeField(field: FieldSchema, context: Context): string {
  const { element } = field;
  if (field.inline && element.kind === "message") {
    const message = context.references.variable(element.message);
    return `q = p; p = ${message}.writeProto(o, b, p); ${writeLength()} ${writeTag(field.number, 2)}`;
  }
  const read = `x = ${member("o", field.name)};`;
  const tag = writeTag(field.number, wireTypeOf(element));
  const isText = element.kind === "scalar" && element.scalar === "string";
  switch (field.cardinality) {
    case "list":
      return `${read} if (x) for (let i = x.length - 1; i >= 0; i--) { const e = x[i]; ${writeElement(element, "e", context)} ${tag} }`;
    case "map": {
      if (isText) {
        return `${read} if (x) p = writeStringMap(x, ${field.number * 8 + 2}, b, p);`;
      }
      const value = `${writeElement(element, "e", context)} b[--p] = 0x12;`;
      return `${read} if (x) { const keys = sortedKeys(x); for (let i = keys.length - 1; i >= 0; i--) { const e = x[keys[i]]; const z = p; ${value} p = writeString(keys[i], b, p); b[--p] = 0x0a; p = writeVarint(z - p, b, p); ${tag} } }`;
    }
    case "one": {
      const write = `${writeElement(element, "x", context)} ${tag}`;
      const mayBeAbsent =
        field.pointer ||
        (element.kind === "scalar" && element.scalar === "bytes") ||
        (element.kind === "special" && element.special === "StringList");
      return mayBeAbsent ? `${read} if (x !== undefined && x !== null) { ${write} }` : `${read} ${write}`;
    }
  }
}

function wireTypeOf(element: ElementType): number {
  if (element.kind !== "scalar") return 2;
  switch (element.scalar) {
    case "bool":
    case "int32":
    case "int64":
      return 0;
    case "double":
      return 1;
    default:
      return 2;
  }
}

/** Writes a field's tag, whose bytes are known at compile time. */
function writeTag(number: number, wireType: number): string {
  const bytes: number[] = [];
  let rest = number * 8 + wireType;
  while (rest >= 0x80) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes
    .reverse()
    .map((byte) => `b[--p] = ${byte};`)
    .join(" ");
}

/** Writes the length of the bytes since `q`. */
function writeLength(): string {
  return "if (q - p < 128) { const n = q - p; b[--p] = n; } else p = writeVarint(q - p, b, p);";
}

/** Statements that write `value`, which may be absent, without its tag. */
function writeElement(element: ElementType, value: string, context: Context): string {
  switch (element.kind) {
    case "any":
      throw new Error("a value of any type has no protobuf form");
    case "message": {
      const message = context.references.variable(element.message);
      return `q = p; p = ${message}.writeProto(${value}, b, p); ${writeLength()}`;
    }
    case "scalar":
      switch (element.scalar) {
        case "string":
          return `if (${value}) p = writeString(${value}, b, p); else b[--p] = 0;`;
        case "bytes":
          return `if (${value}) p = writeBase64(${value}, b, p); else b[--p] = 0;`;
        case "bool":
          return `b[--p] = ${value} ? 1 : 0;`;
        case "double":
          return `p = writeDouble(${value} || 0, b, p);`;
        default:
          return `if (${value} >= 0 && ${value} < 128) b[--p] = Number(${value}); else p = writeInt(${value} || 0, b, p);`;
      }
    case "special":
      return writeSpecial(element.special, value, context);
  }
}

function writeSpecial(special: SpecialType, value: string, { references, jsonSchemaProps }: Context): string {
  const message = (write: string) => `q = p; ${write} ${writeLength()}`;
  const schema = () => `p = ${references.variable(jsonSchemaProps())}.writeProto`;
  switch (special) {
    case "Quantity":
      return message(`p = writeQuantity(${value} ? quantities.orAsIs(${value}) : "0", b, p);`);
    case "IntOrString":
      return message(`p = writeIntOrString(${value}, b, p);`);
    case "Time":
      return message(`p = writeTime(${value}, b, p);`);
    case "MicroTime":
      return message(`p = writeMicroTime(${value}, b, p);`);
    case "Duration":
      return message(`p = writeDuration(${value}, b, p);`);
    case "RawExtension":
    case "JSON":
      return message(`p = writeRaw(${value}, true, b, p);`);
    case "FieldsV1":
      // Kubernetes serializes field sets without HTML escapes.
      return message(`p = writeRaw(${value}, false, b, p);`);
    case "Unknown":
      return message(`p = writeUnknown(${value}, b, p);`);
    case "StringList":
      return message(`if (${value}) p = writeStringList(${value}, b, p);`);
    case "JSONSchemaPropsOrBool":
      return `{ const v = ${value}; const end = p; const allows = v === true || typeof v === "object" && v !== null; if (typeof v === "object" && v !== null) { q = p; ${schema()}(v, b, p); ${writeLength()} b[--p] = 0x12; } b[--p] = allows ? 1 : 0; b[--p] = 0x08; q = end; ${writeLength()} }`;
    case "JSONSchemaPropsOrArray":
      return `{ const v = ${value}; const end = p; if (Array.isArray(v)) { for (let j = v.length - 1; j >= 0; j--) { q = p; ${schema()}(v[j], b, p); ${writeLength()} b[--p] = 0x12; } } else if (v) { q = p; ${schema()}(v, b, p); ${writeLength()} b[--p] = 0x0a; } q = end; ${writeLength()} }`;
    case "JSONSchemaPropsOrStringArray":
      return `{ const v = ${value}; const end = p; if (Array.isArray(v)) { for (let j = v.length - 1; j >= 0; j--) { p = writeString(v[j], b, p); b[--p] = 0x12; } } else if (v) { q = p; ${schema()}(v, b, p); ${writeLength()} b[--p] = 0x0a; } q = end; ${writeLength()} }`;
  }
}
