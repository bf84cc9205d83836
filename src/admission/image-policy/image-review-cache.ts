import type { ImageReviewStatus } from "../../apis/gen/imagepolicy-v1alpha1.js";

const entriesMax = 1024;
/** Longer reviews and answers are not cached: clients choose the former, and both could exhaust memory. */
const charactersMax = 10_000;

/** Caches answers about images for a time. The least recently used one is evicted first. */
export class ImageReviewCache {
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #entries = new Map<string, { readonly status: ImageReviewStatus; readonly until: number }>();

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(question: string): ImageReviewStatus | undefined {
    const entry = this.#entries.get(question);
    if (entry === undefined) return undefined;
    this.#entries.delete(question);
    if (this.#now() >= entry.until) return undefined;
    this.#entries.set(question, entry);
    return entry.status;
  }

  add(question: string, status: ImageReviewStatus, ttlMs: number): void {
    if (ttlMs <= 0 || question.length + JSON.stringify(status).length > charactersMax) return;
    this.#entries.delete(question);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= entriesMax && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(question, { status, until: this.#now() + ttlMs });
  }
}
