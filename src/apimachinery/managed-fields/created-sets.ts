import type { JsonObject } from "../json/json-value.js";
import type { StructType } from "../schema/merge-type.js";
import type { FieldFilter } from "./field-filter.js";
import type { FieldSet } from "./field-set.js";
import { ShapeTree } from "./shape-tree.js";
import { ShapeTrees } from "./shape-trees.js";
import { keepWritten } from "./write-field-set.js";

/** A kind has few shapes at a time, one per template; this leaves room for about a hundred. */
const placesMax = 16 * 1024;
/** Shared by all kinds, and by all servers of the process. A place with its part of a set takes 200 to 300 bytes. */
const trees = new ShapeTrees<FieldSet>(64 * 1024, 60_000);

/**
 * Caches the field sets of created objects by shape. The objects of a workload share one set, which is computed and serialized once.
 * Measured: without it a create takes a third longer.
 */
export class CreatedSets {
  /** By type, and by the fields that can be owned. A type holds its schema, so it must be collectable before the manager of a kind is. */
  readonly #sets = new WeakMap<StructType, Map<FieldFilter | undefined, ShapeTree<FieldSet>>>();

  /**
   * Returns the result of `compute`, or its earlier result for an object of the same shape. The result must depend on nothing else.
   */
  of(
    object: JsonObject,
    type: StructType,
    filter: FieldFilter | undefined,
    compute: () => FieldSet,
  ): FieldSet {
    const sets = this.#setsOf(type, filter);
    const { places } = sets;
    const place = sets.placeOf(object, type);
    trees.used(sets, places);
    if (place?.value !== undefined) return place.value;
    const set = compute();
    if (place !== undefined) place.value = keepWritten(set);
    return set;
  }

  #setsOf(type: StructType, filter: FieldFilter | undefined): ShapeTree<FieldSet> {
    let ofType = this.#sets.get(type);
    if (ofType === undefined) {
      ofType = new Map();
      this.#sets.set(type, ofType);
    }
    let sets = ofType.get(filter);
    if (sets === undefined) {
      sets = new ShapeTree<FieldSet>(placesMax);
      ofType.set(filter, sets);
    }
    return sets;
  }
}
