import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { varintBytesMax, writeVarint } from "../../apimachinery/schema/string-coding.js";

/**
 * How a value of a JSON document is laid out in protobuf. The schemas of OpenAPI documents in protobuf follow their JSON closely;
 * `within` and `choice` express the differences.
 */
export type Shape =
  | { readonly kind: "text" | "flag" | "integer" | "double" }
  /** Any JSON, as text. */
  | { readonly kind: "json" }
  | { readonly kind: "message"; readonly fields: () => MessageShape }
  /** Each item is a field of its own. */
  | { readonly kind: "repeated"; readonly of: Shape }
  /** The value is the only field of a message around it. */
  | { readonly kind: "within"; readonly number: number; readonly of: Shape }
  /** The form of the value decides. */
  | { readonly kind: "choice"; readonly of: (value: JsonValue) => Shape };

export interface MessageShape {
  readonly fields: Readonly<Record<string, FieldShape>>;
  /** The field for all other members, as pairs of name and value. */
  readonly others?: FieldShape | undefined;
  /** The field for members whose names begin with `x-`, which hold any JSON. */
  readonly extensions?: number | undefined;
}

export interface FieldShape {
  readonly number: number;
  readonly shape: Shape;
}

export const text: Shape = { kind: "text" };
export const flag: Shape = { kind: "flag" };
export const integer: Shape = { kind: "integer" };
export const double: Shape = { kind: "double" };
export const json: Shape = { kind: "json" };

export function message(fields: () => MessageShape): Shape {
  return { kind: "message", fields };
}

export function repeated(of: Shape): Shape {
  return { kind: "repeated", of };
}

export function within(number: number, of: Shape): Shape {
  return { kind: "within", number, of };
}

export function choice(of: (value: JsonValue) => Shape): Shape {
  return { kind: "choice", of };
}

/** Members unknown to the shape are left out. */
export function encodeMessage(value: JsonValue, shape: Shape): Uint8Array {
  const writer = new BackwardWriter();
  writeBody(writer, value, shape);
  return writer.finish();
}

/** Writes from the end, because the length of a message is known when its start is reached. */
class BackwardWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #at = this.#buffer.length;

  /** Bytes written so far. */
  get length(): number {
    return this.#buffer.length - this.#at;
  }

  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, this.#at);
  }

  varint(value: number): void {
    this.#makeRoom(varintBytesMax);
    this.#at = writeVarint(value, this.#buffer, this.#at);
  }

  text(value: string): void {
    const bytes = Buffer.byteLength(value);
    this.#makeRoom(bytes);
    this.#at -= bytes;
    this.#buffer.write(value, this.#at);
  }

  double(value: number): void {
    this.#makeRoom(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
  }

  #makeRoom(bytes: number): void {
    if (this.#at >= bytes) return;
    const used = this.length;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#buffer.length + bytes));
    this.#buffer.copy(larger, larger.length - used, this.#at);
    this.#buffer = larger;
    this.#at = larger.length - used;
  }
}

const varintType = 0;
const fixed64Type = 1;
const lengthDelimitedType = 2;

function writeField(writer: BackwardWriter, number: number, value: JsonValue, shape: Shape): void {
  switch (shape.kind) {
    case "flag":
      if (value === true) writeTagged(writer, number, varintType, () => writer.varint(1));
      return;
    case "integer":
      writeTagged(writer, number, varintType, () => writer.varint(Math.max(0, Number(value))));
      return;
    case "double":
      writeTagged(writer, number, fixed64Type, () => writer.double(Number(value)));
      return;
    case "repeated":
      if (Array.isArray(value)) {
        for (const item of value.toReversed()) writeField(writer, number, item, shape.of);
      }
      return;
    case "choice":
      writeField(writer, number, value, shape.of(value));
      return;
    default:
      writeDelimited(writer, number, () => writeBody(writer, value, shape));
  }
}

function writeBody(writer: BackwardWriter, value: JsonValue, shape: Shape): void {
  switch (shape.kind) {
    case "text":
      writer.text(String(value));
      return;
    case "json":
      writeDelimited(writer, anyTextField, () => writer.text(printJson(value, { htmlEscape: false })));
      return;
    case "within":
      writeField(writer, shape.number, value, shape.of);
      return;
    case "message":
      writeMembers(writer, value, shape.fields());
      return;
    default:
      throw new Error(`${shape.kind} is no message`);
  }
}

/** The field for a value that may be anything, as text. */
const anyTextField = 2;

function writeMembers(writer: BackwardWriter, value: JsonValue, shape: MessageShape): void {
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value).reverse()) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field !== undefined) writeField(writer, field.number, member, field.shape);
    else if (shape.extensions !== undefined && name.startsWith("x-")) {
      writeNamed(writer, shape.extensions, name, member, json);
    } else if (shape.others !== undefined) {
      writeNamed(writer, shape.others.number, name, member, shape.others.shape);
    }
  }
}

/** A member of a map, as a message of its name (1) and its value (2). */
function writeNamed(
  writer: BackwardWriter,
  number: number,
  name: string,
  value: JsonValue,
  shape: Shape,
): void {
  writeDelimited(writer, number, () => {
    writeField(writer, 2, value, shape);
    writeField(writer, 1, name, text);
  });
}

function writeDelimited(writer: BackwardWriter, number: number, write: () => void): void {
  const before = writer.length;
  write();
  writer.varint(writer.length - before);
  writer.varint(number * 8 + lengthDelimitedType);
}

function writeTagged(writer: BackwardWriter, number: number, wireType: number, write: () => void): void {
  write();
  writer.varint(number * 8 + wireType);
}

export function field(number: number, shape: Shape): FieldShape {
  return { number, shape };
}

/** A message whose every member is a pair of name and value. */
export function named(shape: Shape): Shape {
  return message(() => ({ fields: {}, others: field(1, shape) }));
}
