import { Buffer } from "node:buffer";
import { parseJson } from "../json/json-parse.js";
import { JsonSyntaxError } from "../json/json-scanner.js";
import type { JsonValue } from "../json/json-value.js";
import {
  DecodeError,
  type FromJsonOptions,
  type FromProtoOptions,
  type MessageCodec,
  type TypeMeta,
} from "./codec.js";
import { DecodeLimits } from "./decode-limits.js";
import { generateClone } from "./generate-clone.js";
import { generateJsonDecode } from "./generate-json-decode.js";
import { generateJsonPrint } from "./generate-json-print.js";
import { generateProtoRead } from "./generate-proto-read.js";
import { generateProtoWrite } from "./generate-proto-write.js";
import { ownName, References } from "./generated-code.js";
import { type CodecRuntime, generatedScope } from "./generated-scope.js";
import { type DecodeJson, JsonReader } from "./json-reader.js";
import { mismatch } from "./json-special.js";
import type { StructType } from "./merge-type.js";
import type { MessageSchema } from "./message-schema.js";
import { printTypeMembers, printWithType } from "./print-members.js";
import type { ProtoReader } from "./proto-reader.js";
import { decodeSlowly } from "./slow-json-decoder.js";
import type { MessageParts } from "./special-fields.js";

type PrintMembers = (object: object) => string;
type Clone = (object: object) => object;
type ReadProto = (
  buffer: Buffer,
  start: number,
  end: number,
  reader: ProtoReader,
  rest: MessageParts | undefined,
) => object;
type WriteProto = (object: object, buffer: Buffer, position: number) => number;

interface Compilation extends Pick<CodecParts, "runtime" | "jsonSchemaProps" | "namesEmbedded"> {
  compiled(schema: MessageSchema): CompiledMessage;
  isRecursive(schema: MessageSchema): boolean;
}

/**
 * The functions of one message type. Each is generated on its first call and then replaces its stub; generated functions call those of
 * other messages through these properties.
 */
export class CompiledMessage {
  readonly schema: MessageSchema;
  decodeJson: DecodeJson;
  /** Members of the JSON object, without braces. */
  printMembers: PrintMembers;
  clone: Clone;
  readProto: ReadProto;
  writeProto: WriteProto;
  /** Decodes the JSON of a deferred member. */
  readonly decodeText: (json: string) => object;
  readonly #compilation: Compilation;
  #shape: (new () => object) | undefined;

  constructor(schema: MessageSchema, compilation: Compilation) {
    this.schema = schema;
    this.#compilation = compilation;
    const { jsonSchemaProps, namesEmbedded } = compilation;
    this.decodeText = (json) => {
      // Separate limits, because a deferred member may be decoded in the middle of another value.
      const limits = new DecodeLimits();
      const jsonReader = new JsonReader(limits, compilation.runtime.quantities);
      const parts = { jsonReader, limits, jsonSchemaProps, namesEmbedded };
      return decodeMessage(this, parts, parseJson(json), { adopts: true });
    };
    this.decodeJson = (value, reader) => {
      const recursive = compilation.isRecursive(schema);
      this.decodeJson = this.#generate<DecodeJson>("v, reader", (references) =>
        generateJsonDecode(schema, references, { recursive, jsonSchemaProps }),
      );
      return this.decodeJson(value, reader);
    };
    this.printMembers = (object) => {
      this.printMembers = this.#generate<PrintMembers>("o", (references) =>
        generateJsonPrint(schema, references, jsonSchemaProps),
      );
      return this.printMembers(object);
    };
    this.clone = (object) => {
      this.clone = this.#generate<Clone>("v", (references) =>
        generateClone(schema, references, jsonSchemaProps),
      );
      return this.clone(object);
    };
    this.readProto = (buffer, start, end, reader, rest) => {
      const recursive = compilation.isRecursive(schema);
      this.readProto = this.#generate<ReadProto>("b, p, end, reader, rest", (references) =>
        generateProtoRead(schema, references, { recursive, jsonSchemaProps }),
      );
      return this.readProto(buffer, start, end, reader, rest);
    };
    this.writeProto = (object, buffer, position) => {
      this.writeProto = this.#generate<WriteProto>("o, b, p", (references) =>
        generateProtoWrite(schema, references, jsonSchemaProps),
      );
      return this.writeProto(object, buffer, position);
    };
  }

  #generate<F>(parameters: string, body: (references: References) => string): F {
    const { compiled } = this.#compilation;
    const references = new References();
    const source = body(references);
    const variables = references.messages.map((_message, index) => `m${index}`);
    const tables: string[] = [];
    // Constants of a reader, hoisted out of the function.
    const rest = source.replace(/^const known.*$/gm, (line) => {
      tables.push(line);
      return "";
    });
    const scope = generatedScope(this.#compilation.runtime);
    const used = Object.keys(scope).filter((name) => source.includes(name));
    const factory = new Function(
      "scope",
      "Shape",
      ...variables,
      `"use strict";
const { ${used.join(", ")} } = scope;
${tables.join("\n")}
return function ${ownName(this.schema)}(${parameters}) {${rest}
};`,
    );
    this.#shape ??= shapeOf();
    return factory(scope, this.#shape, ...references.messages.map((message) => compiled(message)));
  }
}

type DecoderParts = Pick<CodecRuntime, "jsonReader" | "limits"> &
  Pick<CodecParts, "jsonSchemaProps" | "namesEmbedded">;

function decodeMessage(
  message: CompiledMessage,
  { jsonReader, limits, jsonSchemaProps, namesEmbedded }: DecoderParts,
  value: JsonValue,
  options: FromJsonOptions | undefined,
): object {
  if (options?.numberTexts === undefined) {
    jsonReader.begin(options);
    try {
      const object = message.decodeJson(value, jsonReader);
      if (options?.onUnknownField === undefined || !jsonReader.sawUnknownField) return object;
    } catch (error) {
      if (error !== mismatch) throw error;
    }
  }
  limits.begin();
  return decodeSlowly(message.schema, value, limits, {
    onUnknownField: options?.onUnknownField,
    numberTexts: options?.numberTexts,
    jsonSchemaProps,
    namesEmbedded,
  });
}

/** A constructor of plain objects: V8 learns from the first ones how much space to reserve. */
function shapeOf(): new () => object {
  const shape = new Function("return function Object() {};")();
  shape.prototype = Object.prototype;
  return shape;
}

/** What the codecs of one registry share. */
export interface CodecParts {
  readonly runtime: CodecRuntime;
  /** See `SlowDecodeOptions`. */
  readonly namesEmbedded: boolean;
  jsonSchemaProps(): MessageSchema;
  mergeTypeOf(message: MessageSchema): StructType;
}

export class CompiledCodec implements MessageCodec<object> {
  readonly #message: CompiledMessage;
  readonly #runtime: CodecRuntime;
  readonly #parts: CodecParts;

  constructor(message: CompiledMessage, parts: CodecParts) {
    this.#message = message;
    this.#runtime = parts.runtime;
    this.#parts = parts;
  }

  get mergeType(): StructType {
    return this.#parts.mergeTypeOf(this.schema);
  }

  get schema(): MessageSchema {
    return this.#message.schema;
  }

  fromJson(value: JsonValue, options?: FromJsonOptions): object {
    const { jsonReader, limits } = this.#runtime;
    const { jsonSchemaProps, namesEmbedded } = this.#parts;
    const parts = { jsonReader, limits, jsonSchemaProps, namesEmbedded };
    return decodeMessage(this.#message, parts, value, options);
  }

  toJson(object: object): string {
    return `{${this.#message.printMembers(object)}}`;
  }

  toStoredJson(object: object): string {
    const { printing } = this.#runtime;
    printing.asStored = true;
    try {
      return this.toJson(object);
    } finally {
      printing.asStored = false;
    }
  }

  toJsonWithType(object: object, type: TypeMeta): string {
    return printWithType(type, this.#message.printMembers(object));
  }

  printTypeHead(type: TypeMeta): string {
    return `${printTypeMembers(type)},`;
  }

  clone(object: object): object {
    return this.#message.clone(object);
  }

  fromProto(bytes: Uint8Array, options?: FromProtoOptions): object {
    this.#requireProtobuf();
    const { protoReader } = this.#runtime;
    protoReader.begin(options);
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      return this.#message.readProto(buffer, 0, buffer.length, protoReader, undefined);
    } catch (error) {
      // JSON inside protobuf may be malformed too.
      if (error instanceof JsonSyntaxError) throw new DecodeError(error.message);
      throw error;
    }
  }

  toProto(object: object): Uint8Array {
    this.#requireProtobuf();
    return this.#runtime.encodeBuffer.encode((buffer, end) => this.#message.writeProto(object, buffer, end));
  }

  #requireProtobuf(): void {
    if (!this.schema.hasProtobuf) throw new DecodeError(`${this.schema.name} has no protobuf form`);
  }
}
