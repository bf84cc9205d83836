/**
 * Inserting into an array moves everything after it: ten thousand insertions into a million items take many seconds.
 */
const pieceItemsMax = 1024;

/** A list kept in pieces, so that an insertion or removal moves few items. Indexes may count from the end. */
export class DraftList<T> {
  readonly #pieces: T[][] = [];
  #length: number;

  constructor(items: readonly T[]) {
    this.#length = items.length;
    for (let start = 0; start < items.length; start += pieceItemsMax) {
      this.#pieces.push(items.slice(start, start + pieceItemsMax));
    }
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): T | undefined {
    const place = this.#find(index < 0 ? index + this.#length : index);
    return place?.piece[place.offset];
  }

  /** The item already exists. */
  set(index: number, item: T): void {
    const place = this.#find(index < 0 ? index + this.#length : index);
    if (place === undefined) throw new RangeError(`a list of ${this.#length} has no item ${index}`);
    place.piece[place.offset] = item;
  }

  /** Inserts before the item at `index`, which is 0 to `length`. */
  insert(index: number, item: T): void {
    const place = this.#find(index);
    if (place === undefined) this.#append(item);
    else {
      place.piece.splice(place.offset, 0, item);
      if (place.piece.length > 2 * pieceItemsMax) {
        this.#pieces.splice(place.number + 1, 0, place.piece.splice(pieceItemsMax));
      }
    }
    this.#length++;
  }

  /** `index` is 0 to `length` - 1. */
  remove(index: number): void {
    const place = this.#find(index);
    if (place === undefined) throw new RangeError(`a list of ${this.#length} has no item ${index}`);
    place.piece.splice(place.offset, 1);
    if (place.piece.length === 0) this.#pieces.splice(place.number, 1);
    this.#length--;
  }

  toArray(): T[] {
    const items: T[] = [];
    return items.concat(...this.#pieces);
  }

  #append(item: T): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || last.length >= pieceItemsMax) this.#pieces.push([item]);
    else last.push(item);
  }

  #find(
    index: number,
  ): { readonly piece: T[]; readonly number: number; readonly offset: number } | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    let offset = index;
    for (let number = 0; number < this.#pieces.length; number++) {
      const piece = this.#pieces[number] ?? [];
      if (offset < piece.length) return { piece, number, offset };
      offset -= piece.length;
    }
    return undefined;
  }
}
