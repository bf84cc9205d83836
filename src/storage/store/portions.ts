const eventsMax = 500;
/** Encoding this much takes milliseconds, and a client's buffer has room for it. */
const bytesMax = 128 * 1024;

/** Measures how much a watch delivers at once. */
export class PortionSize {
  readonly #eventsMax: number;
  #events = 0;
  #bytes = 0;

  constructor(most = eventsMax) {
    this.#eventsMax = most;
  }

  /** Returns whether the portion ends with this event, whose object has `bytes` bytes. */
  add(bytes: number): boolean {
    this.#events++;
    this.#bytes += bytes;
    return this.#events >= this.#eventsMax || this.#bytes >= bytesMax;
  }
}

/** The elements in portions of at most `most`. */
export function* portions<E>(
  elements: Iterable<E>,
  bytesOf: (element: E) => number,
  most?: number,
): Generator<E[], void> {
  let portion: E[] = [];
  let size = new PortionSize(most);
  for (const element of elements) {
    portion.push(element);
    if (!size.add(bytesOf(element))) continue;
    yield portion;
    portion = [];
    size = new PortionSize(most);
  }
  if (portion.length > 0) yield portion;
}
