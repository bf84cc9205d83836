import { put } from "../collections/put.js";
import { printJson } from "../json/json-print.js";
import { CanonicalQuantities } from "./canonical-quantities.js";
import { DecodeLimits } from "./decode-limits.js";
import { DeferredMember, deferMember, deferredText } from "./deferred-member.js";
import { EncodeBuffer } from "./encode-buffer.js";
import { JsonReader } from "./json-reader.js";
import {
  bytesFromJson,
  durationFromJson,
  int64FromJson,
  microTimeFromJson,
  mismatch,
  stringListFromJson,
  timeFromJson,
} from "./json-special.js";
import { cloneJson, cloneStringMap, isEmpty, sortedKeys } from "./object-members.js";
import { printString, printStringList, printStringMap, printWithType } from "./print-members.js";
import { ProtoReader } from "./proto-reader.js";
import {
  readDuration,
  readFieldSet,
  readIntOrString,
  readMicroTime,
  readQuantity,
  readRaw,
  readSchemaOr,
  readStringList,
  readTime,
  readUnknown,
} from "./read-special.js";
import { writeBase64, writeDouble, writeInt, writeString, writeVarint } from "./string-coding.js";
import {
  writeDuration,
  writeIntOrString,
  writeMicroTime,
  writeQuantity,
  writeRaw,
  writeStringList,
  writeStringMap,
  writeTime,
  writeUnknown,
} from "./write-special.js";

/**
 * The shared parts of a registry's codecs. Decoding and encoding are synchronous, so the readers and the buffer serve one call at a
 * time.
 */
export class CodecRuntime {
  readonly quantities = new CanonicalQuantities();
  readonly limits = new DecodeLimits();
  readonly jsonReader = new JsonReader(this.limits, this.quantities);
  readonly protoReader = new ProtoReader(this.limits);
  readonly encodeBuffer = new EncodeBuffer();
  /** Whether the codec prints for storage. */
  readonly printing = { asStored: false };
}

/** The functions that generated code may call, by name. */
export function generatedScope({ quantities, protoReader, printing }: CodecRuntime): {
  readonly [name: string]: unknown;
} {
  const printQuantity = (text: string | null | undefined): string =>
    text ? printString(quantities.orAsIs(text)) : '"0"';
  return {
    DeferredMember,
    bytesFromJson,
    cloneJson,
    cloneStringMap,
    deferMember,
    deferredText,
    durationFromJson,
    emptyObject,
    int64FromJson,
    isEmpty,
    microTimeFromJson,
    mismatch,
    printJson,
    printQuantity,
    printString,
    printStringList,
    printStringMap,
    printWithType,
    printing,
    put,
    quantities,
    readDuration,
    readFieldSet,
    readIntOrString,
    readMicroTime,
    readQuantity,
    readRaw,
    readSchemaOr,
    readString: protoReader.readString,
    readStringList,
    readTime,
    readUnknown,
    sortedKeys,
    stringListFromJson,
    timeFromJson,
    writeBase64,
    writeDouble,
    writeDuration,
    writeInt,
    writeIntOrString,
    writeMicroTime,
    writeQuantity,
    writeRaw,
    writeString,
    writeStringList,
    writeStringMap,
    writeTime,
    writeUnknown,
    writeVarint,
  };
}

const emptyObject: object = Object.freeze({});
