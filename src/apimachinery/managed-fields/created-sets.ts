import { keepPrinted } from "../json-print.js";
import type { JsonObject } from "../json-value.js";
import { type FieldSet, sortSet } from "./field-set.js";
import type { StructType } from "./merge-type.js";
import { shapeOf } from "./object-shape.js";

/** Kinds have few shapes at a time: those that their templates make. */
const shapesMax = 128;
/** Larger shapes are not likely to come again. */
const shapeCharactersMax = 8192;

interface CreatedSet {
  /** The type and the fields left out: what the set depends on besides the shape. */
  readonly type: StructType;
  readonly reset: FieldSet | undefined;
  readonly set: FieldSet;
}

/**
 * The field sets of created objects by their shape: the objects of a workload have one and the same, which is computed, sorted
 * and printed once. (Measured: a create without it takes a third more time.)
 */
export class CreatedSets {
  readonly #byShape = new Map<string, CreatedSet>();

  /** What `compute` makes of `object`, or made of one that has the same fields. It must depend on nothing else. */
  of(object: JsonObject, type: StructType, reset: FieldSet | undefined, compute: () => FieldSet): FieldSet {
    const shape = shapeOf(object, type);
    const known = this.#byShape.get(shape);
    if (known !== undefined && known.type === type && known.reset === reset) return known.set;
    const set = keepPrinted(sortSet(compute()));
    if (shape.length <= shapeCharactersMax) this.#keep(shape, { type, reset, set });
    return set;
  }

  #keep(shape: string, created: CreatedSet): void {
    this.#byShape.delete(shape);
    if (this.#byShape.size >= shapesMax) {
      const oldest = this.#byShape.keys().next();
      if (!oldest.done) this.#byShape.delete(oldest.value);
    }
    this.#byShape.set(shape, created);
  }
}
