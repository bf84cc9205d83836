import { WireReader } from "../grpc/wire-reader.js";
import { WireWriter } from "../grpc/wire-writer.js";
import { type KeySource, type KeySourceType, keySourceType, validateKeySource } from "./key-source.js";

/** A value as it is stored. DO NOT CHANGE THE FIELDS: source apiserver `envelope/kmsv2/v2/api.proto`. */
export interface EncryptedObject {
  readonly data: Uint8Array;
  readonly source: KeySource;
}

const field = { data: 1, keyId: 2, encrypted: 3, annotations: 4, type: 5 } as const;
const prefixBytes = 5;

export function encodeEncryptedObject({ data, source }: EncryptedObject): Buffer {
  const writer = new WireWriter(data.length + source.encrypted.length + 256);
  writer.integer(field.type, source.type);
  writeAnnotations(writer, field.annotations, source.annotations);
  writer.bytes(field.encrypted, source.encrypted);
  writer.string(field.keyId, source.keyId);
  writer.bytes(field.data, data);
  return writer.frame().subarray(prefixBytes);
}

/** Views of `bytes`. Throws with what is wrong with it. */
export function decodeEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const reader = new WireReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  let data: Uint8Array = Buffer.alloc(0);
  let encrypted: Uint8Array = Buffer.alloc(0);
  let keyId = "";
  let type = 0;
  const annotations = new Map<string, Uint8Array>();
  while (reader.next()) {
    if (reader.field === field.data) data = reader.bytes();
    else if (reader.field === field.keyId) keyId = reader.string();
    else if (reader.field === field.encrypted) encrypted = reader.bytes();
    else if (reader.field === field.annotations) readAnnotation(reader.message(), annotations);
    else if (reader.field === field.type) type = reader.integer();
    else reader.skip();
  }
  if (!isKeySourceType(type)) throw new Error(`unknown encryptedDEKSourceType: ${type}`);
  if (data.length === 0) throw new Error("encrypted data is empty");
  const source = { type, encrypted, keyId, annotations };
  validateKeySource(source);
  return { data, source };
}

export function writeAnnotations(
  writer: WireWriter,
  number: number,
  annotations: ReadonlyMap<string, Uint8Array>,
): void {
  for (const [name, value] of annotations) {
    const mark = writer.length;
    writer.bytes(2, value);
    writer.string(1, name);
    writer.nested(number, mark);
  }
}

export function readAnnotation(entry: WireReader, into: Map<string, Uint8Array>): void {
  let name = "";
  let value: Uint8Array = Buffer.alloc(0);
  while (entry.next()) {
    if (entry.field === 1) name = entry.string();
    else if (entry.field === 2) value = Buffer.from(entry.bytes());
    else entry.skip();
  }
  into.set(name, value);
}

function isKeySourceType(type: number): type is KeySourceType {
  return type === keySourceType.key || type === keySourceType.seed;
}
