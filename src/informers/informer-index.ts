import { removeFromSet } from "../apimachinery/collections/groups.js";
/**
 * Values by key, each under all keys that the index's function returns. The cost of adding and removing is the number of the value's keys.
 */
export class InformerIndex<V> {
  readonly #textsOf: (value: V, key: string) => readonly string[];
  readonly #byText = new Map<string, Map<string, V>>();

  constructor(textsOf: (value: V, key: string) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  find(text: string): Iterable<V> {
    return this.#byText.get(text)?.values() ?? [];
  }

  set(key: string, value: V): void {
    for (const text of this.#textsOf(value, key)) {
      const values = this.#byText.get(text);
      if (values === undefined) this.#byText.set(text, new Map([[key, value]]));
      else values.set(key, value);
    }
  }

  remove(key: string, value: V): void {
    for (const text of this.#textsOf(value, key)) {
      removeFromSet(this.#byText, text, key);
    }
  }
}

/** For an index by namespace: the part of the key before the slash, "" for cluster-scoped objects. */
export function namespaceOfKey(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf("/")));
}
