interface Entry<Value> {
  readonly value: Value;
  readonly owner: string;
  readonly endsAtMs: number;
}

/** A bounded map of values under secret keys. Entries expire. */
export class ExpiringMap<Value> {
  /** Oldest first: all entries live equally long. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #limits: ExpiringMapLimits;

  constructor(limits: ExpiringMapLimits) {
    this.#limits = limits;
  }

  /** If there are too many entries, of this owner or in total, the oldest of them is removed. */
  set(key: string, owner: string, value: Value): void {
    const { lifeMs, entriesMax, ofOwnerMax, nowMs } = this.#limits;
    const now = nowMs();
    const owned: string[] = [];
    for (const [each, entry] of this.#entries) {
      if (entry.endsAtMs <= now) this.#entries.delete(each);
      else if (entry.owner === owner) owned.push(each);
    }
    const [ownOldest] = owned;
    const [oldest] = this.#entries.keys();
    if (ownOldest !== undefined && owned.length >= ofOwnerMax) this.#entries.delete(ownOldest);
    else if (oldest !== undefined && this.#entries.size >= entriesMax) this.#entries.delete(oldest);
    this.#entries.set(key, { value, owner, endsAtMs: now + lifeMs });
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.endsAtMs <= this.#limits.nowMs()) return undefined;
    return entry.value;
  }

  /** Gets the value and removes it. */
  take(key: string): Value | undefined {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  }
}

export interface ExpiringMapLimits {
  readonly lifeMs: number;
  readonly entriesMax: number;
  /** Limit per owner, so that one owner's entries cannot crowd out others'. */
  readonly ofOwnerMax: number;
  readonly nowMs: () => number;
}
