import type { Buffer } from "node:buffer";
import { messageOf } from "../errors/message-of.js";
import { printJson } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";
import { parseDuration } from "../values/duration.js";
import {
  canonicalMicroTimeSeconds,
  canonicalTimeSeconds,
  parseTime,
  zeroTimeSeconds,
} from "../values/time.js";
import { DecodeError } from "./codec.js";
import { sortedKeys } from "./object-members.js";
import { writeInt, writeString, writeVarint } from "./string-coding.js";

// Write the protobuf messages of special types and string maps, backwards (see `writeString`).

/** Writes nothing for the zero time. */
export function writeTime(text: string | null | undefined, buffer: Buffer, position: number): number {
  if (!text) return position;
  const seconds = canonicalTimeSeconds(text) ?? secondsOf(text);
  if (seconds === zeroTimeSeconds) return position;
  buffer[position - 1] = 0;
  buffer[position - 2] = 0x10;
  const at = writeInt(seconds, buffer, position - 2);
  buffer[at - 1] = 0x08;
  return at - 1;
}

export function writeMicroTime(text: string | null | undefined, buffer: Buffer, position: number): number {
  if (!text) return position;
  const canonical = canonicalMicroTimeSeconds(text);
  const instant =
    canonical === undefined
      ? microsOf(text)
      : { seconds: canonical, nanos: Number(text.slice(20, 26)) * 1000 };
  if (instant.seconds === zeroTimeSeconds && instant.nanos === 0) return position;
  let at = writeVarint(instant.nanos, buffer, position);
  buffer[--at] = 0x10;
  at = writeInt(instant.seconds, buffer, at);
  buffer[--at] = 0x08;
  return at;
}

export function writeDuration(text: string | null | undefined, buffer: Buffer, position: number): number {
  const at = writeInt(parseDuration(text ?? "0s") ?? 0n, buffer, position);
  buffer[at - 1] = 0x08;
  return at - 1;
}

/** `text` is the canonical form. */
export function writeQuantity(text: string, buffer: Buffer, position: number): number {
  const at = writeString(text, buffer, position);
  buffer[at - 1] = 0x0a;
  return at - 1;
}

export function writeIntOrString(
  value: number | string | null | undefined,
  buffer: Buffer,
  position: number,
): number {
  const isText = typeof value === "string";
  let at = writeString(isText ? value : "", buffer, position);
  buffer[--at] = 0x1a;
  at = writeInt(isText ? 0 : (value ?? 0), buffer, at);
  buffer[--at] = 0x10;
  buffer[--at] = isText ? 1 : 0;
  buffer[--at] = 0x08;
  return at;
}

/** A raw extension or any JSON: its text in field 1; nothing when absent. */
export function writeRaw(
  value: JsonValue | undefined,
  htmlEscape: boolean,
  buffer: Buffer,
  position: number,
): number {
  if (value === undefined || value === null) return position;
  const at = writeString(printJson(value, { htmlEscape }), buffer, position);
  buffer[at - 1] = 0x0a;
  return at - 1;
}

/** The envelope of an object of unknown type, which is always JSON here. */
export function writeUnknown(value: JsonValue | undefined, buffer: Buffer, position: number): number {
  let at = writeString("application/json", buffer, position);
  buffer[--at] = 0x22;
  buffer[--at] = 0;
  buffer[--at] = 0x1a;
  if (value !== undefined && value !== null) {
    at = writeString(printJson(value), buffer, at);
    buffer[--at] = 0x12;
  }
  buffer[--at] = 0;
  buffer[--at] = 0x0a;
  return at;
}

export function writeStringList(list: readonly string[], buffer: Buffer, position: number): number {
  let at = position;
  for (let index = list.length - 1; index >= 0; index--) {
    at = writeString(list[index] ?? "", buffer, at);
    buffer[--at] = 0x0a;
  }
  return at;
}

export function writeStringMap(
  map: { readonly [key: string]: string },
  tag: number,
  buffer: Buffer,
  position: number,
): number {
  const keys = sortedKeys(map);
  let at = position;
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] ?? "";
    const end = at;
    at = writeString(map[key] ?? "", buffer, at);
    buffer[--at] = 0x12;
    at = writeString(key, buffer, at);
    buffer[--at] = 0x0a;
    at = writeVarint(end - at, buffer, at);
    at = writeVarint(tag, buffer, at);
  }
  return at;
}

function secondsOf(text: string): number {
  try {
    return parseTime(text).seconds;
  } catch (error) {
    throw new DecodeError(messageOf(error));
  }
}

function microsOf(text: string): { seconds: number; nanos: number } {
  try {
    const { seconds, nanos } = parseTime(text);
    return { seconds, nanos: Math.floor(nanos / 1000) * 1000 };
  } catch (error) {
    throw new DecodeError(messageOf(error));
  }
}
