import { IdleEviction } from "../collections/idle-eviction.js";
import type { ShapeTree } from "./shape-tree.js";

/** All trees together have at most `placesMax` nodes, each kept for one to two periods after its last use. */
export class ShapeTrees<T> {
  readonly #placesMax: number;
  readonly #inUse: IdleEviction<ShapeTree<T>>;
  #places = 0;

  constructor(placesMax: number, periodMs: number) {
    this.#placesMax = placesMax;
    this.#inUse = new IdleEviction(periodMs, (tree) => {
      this.#places -= tree.places;
      tree.clear();
    });
  }

  /** Nodes of all trees. */
  get places(): number {
    return this.#places;
  }

  /** `tree` was walked; before, it had `placesBefore` nodes. */
  used(tree: ShapeTree<T>, placesBefore: number): void {
    this.#inUse.used(tree);
    this.#places += tree.places - placesBefore;
    if (this.#places > this.#placesMax) this.#inUse.forgetAllBut(tree);
  }
}
