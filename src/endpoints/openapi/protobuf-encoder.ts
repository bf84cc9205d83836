import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { isJsonArray } from "../../apimachinery/json/json-values.js";
import { varintBytesMax, writeVarint } from "../../apimachinery/schema/string-coding.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import { json, type MessageShape, type Shape, text } from "./protobuf-shape.js";

/** Fields encoded between two checks of the clock. */
const fieldsPerTurn = 256;

/** Members unknown to the shape are left out. Yields to the event loop, because a single kind may have tens of thousands of fields. */
export async function encodeMessage(value: JsonValue, shape: Shape): Promise<Uint8Array> {
  const encoder = new Encoder();
  encoder.body(value, shape);
  while (encoder.write(fieldsPerTurn)) {
    const turn = turnIfRoundIsOver();
    if (turn !== undefined) await turn;
  }
  return encoder.finish();
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

/** Keeps the remaining work in a list instead of recursing, so that it can pause anywhere. */
class Encoder {
  readonly #writer = new BackwardWriter();
  /** A stack: the last entry is next. */
  readonly #left: (() => void)[] = [];

  /** Writes at most so many parts. Returns whether any are left. */
  write(parts: number): boolean {
    for (let i = 0; i < parts; i++) {
      const next = this.#left.pop();
      if (next === undefined) return false;
      next();
    }
    return true;
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }

  body(value: JsonValue, shape: Shape): void {
    switch (shape.kind) {
      case "text":
        this.#writer.text(String(value));
        return;
      case "json":
        this.#delimited(anyTextField, () => this.#writer.text(printJson(value, { htmlEscape: false })));
        return;
      case "within":
        this.#field(shape.number, value, shape.of);
        return;
      case "message":
        this.#members(value, shape.fields());
        return;
      default:
        throw new Error(`${shape.kind} is not a message`);
    }
  }

  #field(number: number, value: JsonValue, shape: Shape): void {
    switch (shape.kind) {
      case "flag":
        if (value !== true) return;
        this.#writer.varint(1);
        this.#tag(number, varintType);
        return;
      case "integer":
        this.#writer.varint(Math.max(0, Number(value)));
        this.#tag(number, varintType);
        return;
      case "double":
        this.#writer.double(Number(value));
        this.#tag(number, fixed64Type);
        return;
      case "repeated":
        if (!isJsonArray(value)) return;
        for (const item of value) this.#left.push(() => this.#field(number, item, shape.of));
        return;
      case "choice":
        this.#field(number, value, shape.of(value));
        return;
      default:
        this.#delimited(number, () => this.body(value, shape));
    }
  }

  #members(value: JsonValue, shape: MessageShape): void {
    if (!isJsonObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      if (field !== undefined) this.#left.push(() => this.#field(field.number, member, field.shape));
      else if (shape.extensions !== undefined && name.startsWith("x-")) {
        this.#leaveNamed(shape.extensions, name, member, json);
      } else if (shape.others !== undefined) {
        this.#leaveNamed(shape.others.number, name, member, shape.others.shape);
      }
    }
  }

  /** A member of a map, as a message of its name (1) and its value (2). */
  #leaveNamed(number: number, name: string, value: JsonValue, shape: Shape): void {
    this.#left.push(() =>
      this.#delimited(number, () => {
        this.#left.push(() => this.#field(1, name, text));
        this.#field(2, value, shape);
      }),
    );
  }

  /** Writes the length and the tag after `write` and what it defers: the output is written backwards. */
  #delimited(number: number, write: () => void): void {
    const before = this.#writer.length;
    this.#left.push(() => {
      this.#writer.varint(this.#writer.length - before);
      this.#tag(number, lengthDelimitedType);
    });
    write();
  }

  #tag(number: number, wireType: number): void {
    this.#writer.varint(number * 8 + wireType);
  }
}

const varintType = 0;
const fixed64Type = 1;
const lengthDelimitedType = 2;

/** The field for a value that may be anything, as text. */
const anyTextField = 2;
