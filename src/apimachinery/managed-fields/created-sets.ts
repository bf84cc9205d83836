import type { JsonObject } from "../json-value.js";
import type { StructType } from "../schema/merge-type.js";
import type { Steps } from "../steps.js";
import { type FieldSet, keepWritten } from "./field-set.js";
import { ShapeTree } from "./shape-tree.js";
import { ShapeTrees } from "./shape-trees.js";

/** A kind has few shapes at a time, one per template; this leaves room for about a hundred. */
const placesMax = 16 * 1024;
/** Shared by all kinds, and by all servers of the process. A place with its part of a set takes 200 to 300 bytes. */
const trees = new ShapeTrees<FieldSet>(64 * 1024, 60_000);

/** What a set depends on besides the shape of the object: its type and the ignored fields. */
interface Memory {
  readonly type: StructType;
  readonly reset: FieldSet | undefined;
  readonly sets: ShapeTree<FieldSet>;
}

/** The versions in which a kind is created. */
const memoriesMax = 8;

/**
 * Caches the field sets of created objects by shape. The objects of a workload share one set, which is computed and serialized once.
 * Measured: without it a create takes a third longer.
 */
export class CreatedSets {
  readonly #memories: Memory[] = [];

  /**
   * Returns the result of `compute`, or its earlier result for an object of the same shape. The result must depend on nothing else.
   */
  *of(
    object: JsonObject,
    type: StructType,
    reset: FieldSet | undefined,
    compute: () => Steps<FieldSet>,
  ): Steps<FieldSet> {
    const sets = this.#setsOf(type, reset);
    const { places } = sets;
    const place = sets.placeOf(object);
    trees.used(sets, places);
    if (place?.value !== undefined) return place.value;
    const set = yield* compute();
    if (place !== undefined) place.value = keepWritten(set);
    return set;
  }

  #setsOf(type: StructType, reset: FieldSet | undefined): ShapeTree<FieldSet> {
    const known = this.#memories.find((memory) => memory.type === type && memory.reset === reset);
    if (known !== undefined) return known.sets;
    const sets = new ShapeTree<FieldSet>(type, placesMax);
    this.#memories.push({ type, reset, sets });
    if (this.#memories.length > memoriesMax) this.#memories.shift();
    return sets;
  }
}
