import { quoted } from "../errors/quoted-text.js";
import type { JsonValue } from "../json/json-value.js";
import { jsonText } from "../json/json-values.js";
import { keyOfValue } from "./value-key.js";

/** The values of an `enum`, of any JSON types. Looking one up takes no longer when there are many. */
export class ValueSet {
  readonly values: readonly JsonValue[];
  #members: Members | undefined;
  #text: string | undefined;

  constructor(values: readonly JsonValue[]) {
    this.values = values;
  }

  has(value: JsonValue): boolean {
    this.#members ??= membersOf(this.values);
    const { scalars, keys, keyLengthMax } = this.#members;
    if (!isComposite(value)) return scalars.has(value);
    if (keys.size === 0) return false;
    const key = keyOfValue(value, keyLengthMax);
    return key !== undefined && keys.has(key);
  }

  /** In the form of messages. */
  get text(): string {
    this.#text ??= this.values.map((one) => quoted(typeof one === "string" ? one : jsonText(one))).join(", ");
    return this.#text;
  }
}

interface Members {
  readonly scalars: ReadonlySet<JsonValue>;
  /** Of objects and lists. */
  readonly keys: ReadonlySet<string>;
  readonly keyLengthMax: number;
}

function membersOf(values: readonly JsonValue[]): Members {
  const keys = values.filter(isComposite).map((value) => keyOfValue(value) ?? "");
  return {
    scalars: new Set(values.filter((value) => !isComposite(value))),
    keys: new Set(keys),
    keyLengthMax: keys.reduce((max, { length }) => Math.max(max, length), 0),
  };
}

function isComposite(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}
