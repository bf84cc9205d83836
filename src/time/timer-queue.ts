/** The timers of a movable clock, by due time; equal times in the order in which they were set. */
export class TimerQueue {
  /** A binary heap: neither child of an entry is due before it. */
  #heap: Timer[] = [];
  #cancelled = 0;
  #sequence = 0;

  add(dueMs: number, callback: () => void): Timer {
    const timer: Timer = { dueMs, callback, sequence: this.#sequence++, isCancelled: false };
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1);
    return timer;
  }

  cancel(timer: Timer): void {
    if (timer.isCancelled) return;
    timer.isCancelled = true;
    // They are removed in groups, because finding a single one would require a search.
    if (++this.#cancelled * 2 > this.#heap.length + 16) this.#sweep();
  }

  /** When the next timer is due; undefined when there is none. */
  get nextMs(): number | undefined {
    return this.#first()?.dueMs;
  }

  /** Takes the next timer, if it is due by `timeMs`. */
  take(timeMs: number): Timer | undefined {
    const first = this.#first();
    if (first === undefined || first.dueMs > timeMs) return undefined;
    this.#removeFirst();
    // A later `cancel` must not count it as one that is still in the heap.
    first.isCancelled = true;
    return first;
  }

  #first(): Timer | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (first?.isCancelled !== true) return first;
      this.#removeFirst();
      this.#cancelled--;
    }
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #sweep(): void {
    // A sorted list is a heap.
    this.#heap = this.#heap.filter(({ isCancelled }) => !isCancelled).sort(inOrder);
    this.#cancelled = 0;
  }

  #rise(start: number): void {
    const heap = this.#heap;
    const timer = heap[start];
    let at = start;
    while (timer !== undefined && at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || inOrder(parent, timer) <= 0) break;
      heap[at] = parent;
      heap[above] = timer;
      at = above;
    }
  }

  #sink(start: number): void {
    const heap = this.#heap;
    const timer = heap[start];
    let at = start;
    while (timer !== undefined) {
      const left = 2 * at + 1;
      const right = heap[left + 1];
      let child = heap[left];
      if (child === undefined) break;
      let below = left;
      if (right !== undefined && inOrder(right, child) < 0) {
        child = right;
        below = left + 1;
      }
      if (inOrder(timer, child) <= 0) break;
      heap[at] = child;
      heap[below] = timer;
      at = below;
    }
  }
}

export interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
  readonly sequence: number;
  isCancelled: boolean;
}

function inOrder(a: Timer, b: Timer): number {
  return a.dueMs - b.dueMs || a.sequence - b.sequence;
}
