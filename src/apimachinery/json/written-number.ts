import { put } from "../collections/put.js";
import { isJsonObject, type JsonValue } from "./json-value.js";
import { isJsonArray } from "./json-values.js";

/** A number whose value would be printed differently: `1.0`, `1e3`. Only JSON patches keep it as a value. */
export class WrittenNumber {
  readonly [member: string]: JsonValue;
  readonly value: number;
  readonly text: string;

  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** The texts of such numbers by path: `spec.containers[0].ports[0].containerPort`. */
export type NumberTexts = ReadonlyMap<string, string>;

export interface WrittenValue {
  readonly value: JsonValue;
  /** Undefined when there are none. */
  readonly numberTexts: NumberTexts | undefined;
}

/** A client chooses how many such numbers there are and how long their paths are: beyond these limits, only their values count. */
export const numberTextsMax = 1_000;
export const numberPathLengthMax = 4_096;

/** Collects such numbers while a document is parsed, and then extracts their texts from the value. */
export class WrittenNumbers {
  #isPlain = true;

  /** For the parser. */
  readonly onNumberText = (_path: string, number: WrittenNumber): JsonValue => {
    this.#isPlain = false;
    return number;
  };

  /** Looks into the value only when the document had such a number. */
  take(value: JsonValue): WrittenValue {
    return this.#isPlain ? { value, numberTexts: undefined } : takeNumberTexts(value);
  }
}

/** Replaces such numbers by their values, and returns their texts separately. */
export function takeNumberTexts(value: JsonValue): WrittenValue {
  const numberTexts = new Map<string, string>();
  const taken = take(value, "", numberTexts);
  return { value: taken, numberTexts: numberTexts.size === 0 ? undefined : numberTexts };
}

/** Copies only what holds such numbers. */
function take(value: JsonValue, path: string, texts: Map<string, string>): JsonValue {
  if (value instanceof WrittenNumber) {
    if (texts.size < numberTextsMax && path.length <= numberPathLengthMax) texts.set(path, value.text);
    return value.value;
  }
  if (isJsonArray(value)) {
    let copy: JsonValue[] | undefined;
    for (const [index, item] of value.entries()) {
      if (typeof item !== "object" || item === null) continue;
      const taken = take(item, `${path}[${index}]`, texts);
      if (taken === item) continue;
      copy ??= [...value];
      copy[index] = taken;
    }
    return copy ?? value;
  }
  if (!isJsonObject(value)) return value;
  let copy: { [name: string]: JsonValue } | undefined;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (typeof member !== "object" || member === null) continue;
    const taken = take(member, path === "" ? name : `${path}.${name}`, texts);
    if (taken === member) continue;
    copy ??= { ...value };
    put(copy, name, taken);
  }
  return copy ?? value;
}
