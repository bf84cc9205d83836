import type { ShapeTree } from "./shape-tree.js";

/**
 * The trees that hold something: together at most `placesMax` nodes, each for at most two minutes after its last use. The timer
 * only runs while a tree holds something, and does not keep the process alive.
 */
export class ShapeTrees<T> {
  readonly #placesMax: number;
  readonly #periodMs: number;
  #places = 0;
  /** Used since the timer's last turn, and in the period before. */
  #recent = new Set<ShapeTree<T>>();
  #older = new Set<ShapeTree<T>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(placesMax: number, periodMs: number) {
    this.#placesMax = placesMax;
    this.#periodMs = periodMs;
  }

  /** Of all trees. */
  get places(): number {
    return this.#places;
  }

  /** `tree` was walked, and had `placesBefore` nodes then. */
  used(tree: ShapeTree<T>, placesBefore: number): void {
    if (!this.#recent.has(tree)) {
      this.#recent.add(tree);
      this.#older.delete(tree);
      this.#timer ??= setInterval(() => this.#age(), this.#periodMs).unref();
    }
    this.#places += tree.places - placesBefore;
    if (this.#places > this.#placesMax) this.#forgetAllBut(tree);
  }

  #forgetAllBut(tree: ShapeTree<T>): void {
    this.#recent.delete(tree);
    this.#clear(this.#recent);
    this.#clear(this.#older);
    this.#recent.add(tree);
  }

  #age(): void {
    this.#clear(this.#older);
    [this.#older, this.#recent] = [this.#recent, this.#older];
    if (this.#older.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #clear(trees: Set<ShapeTree<T>>): void {
    for (const tree of trees) {
      this.#places -= tree.places;
      tree.clear();
    }
    trees.clear();
  }
}
