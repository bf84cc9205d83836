import type { FieldSet } from "./field-set.js";
import type { PathElement } from "./path-element.js";

/**
 * The difference of one value. A node stands for the value itself: an empty node means that the whole value was added, modified or
 * removed. Undefined when the values are equal.
 */
export interface Difference {
  readonly added?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

/** The difference of an object or a list, put together from those of its members. */
export class DifferenceBuilder {
  #added: Map<PathElement, FieldSet> | undefined;
  #modified: Map<PathElement, FieldSet> | undefined;
  #removed: Map<PathElement, FieldSet> | undefined;

  add(element: PathElement, difference: Difference | undefined): void {
    if (difference === undefined) return;
    const { added, modified, removed } = difference;
    if (added !== undefined) {
      this.#added ??= new Map();
      this.#added.set(element, added);
    }
    if (modified !== undefined) {
      this.#modified ??= new Map();
      this.#modified.set(element, modified);
    }
    if (removed !== undefined) {
      this.#removed ??= new Map();
      this.#removed.set(element, removed);
    }
  }

  isEmpty(): boolean {
    return this.#added === undefined && this.#modified === undefined && this.#removed === undefined;
  }

  result(): Difference {
    return { added: this.#added, modified: this.#modified, removed: this.#removed };
  }

  resultOrUndefined(): Difference | undefined {
    return this.isEmpty() ? undefined : this.result();
  }
}
