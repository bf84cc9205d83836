import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";

/**
 * A text that is the same for equal values and differs for others; the order of an object's members does not count. Undefined for a
 * text of more than about `max` characters.
 */
export function keyOfValue(value: JsonValue, max = Number.POSITIVE_INFINITY): string | undefined {
  const key = new Key(max);
  key.add(value);
  return key.isTooLong ? undefined : key.text;
}

class Key {
  readonly #max: number;
  text = "";

  constructor(max: number) {
    this.#max = max;
  }

  get isTooLong(): boolean {
    return this.text.length > this.#max;
  }

  add(value: JsonValue): void {
    if (this.isTooLong) return;
    if (typeof value === "string") this.text += `"${value.length} ${value}`;
    else if (typeof value !== "object" || value === null) this.text += `${typeof value} ${String(value)},`;
    else if (isJsonArray(value)) {
      this.text += "[";
      for (const item of value) {
        if (this.isTooLong) return;
        this.add(item);
      }
      this.text += "]";
    } else if (isJsonObject(value)) this.#addMembers(value);
  }

  #addMembers(object: JsonObject): void {
    this.text += "{";
    const names = Object.keys(object);
    // Each takes some characters.
    if (names.length > this.#max) {
      this.text = " ".repeat(this.#max + 1);
      return;
    }
    for (const name of names.sort()) {
      const member = object[name];
      if (this.isTooLong) return;
      if (member === undefined) continue;
      this.add(name);
      this.add(member);
    }
    this.text += "}";
  }
}
