/** What is known under a secret key for a time: a bounded map whose entries end by themselves. */
export class PassingMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAtMs: number }>();
  readonly #lifeMs: number;
  readonly #entriesMax: number;
  readonly #nowMs: () => number;

  /** Above `entriesMax` the oldest goes. */
  constructor(limits: {
    readonly lifeMs: number;
    readonly entriesMax: number;
    readonly nowMs: () => number;
  }) {
    this.#lifeMs = limits.lifeMs;
    this.#entriesMax = limits.entriesMax;
    this.#nowMs = limits.nowMs;
  }

  /** When the entry ends, in milliseconds since the epoch. */
  set(key: string, value: Value): number {
    const now = this.#nowMs();
    for (const [old, { endsAtMs }] of this.#entries) {
      if (endsAtMs > now && this.#entries.size < this.#entriesMax) break;
      this.#entries.delete(old);
    }
    const endsAtMs = now + this.#lifeMs;
    this.#entries.set(key, { value, endsAtMs });
    return endsAtMs;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.endsAtMs <= this.#nowMs()) return undefined;
    return entry.value;
  }

  /** Gets the value and forgets it. */
  take(key: string): Value | undefined {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  }
}
