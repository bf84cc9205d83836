import { Quantity } from "../../apimachinery/values/quantity.js";
import type { Amounts } from "../../apis/core/resource-quota/amounts.js";

interface Charge {
  readonly at: number;
  readonly resource: string;
  readonly amount: Quantity;
}

/**
 * Tracks by how much the use of a quota rose recently. Admission raises it before the object is stored, here or by another server, so a
 * recount may miss the object.
 */
export class RecentCharges {
  readonly #windowMs: number;
  #charges: Charge[] = [];
  #used: Amounts | undefined;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Records a state of the quota; call in order. All use in the first state counts as recent. */
  observe(used: Amounts, now: number): void {
    for (const [resource, amount] of used) {
      const before = this.#used?.get(resource);
      const more = before === undefined ? amount : amount.sub(before);
      if (more.sign() > 0) this.#charges.push({ at: now, resource, amount: more });
    }
    this.#used = used;
    this.#forget(now);
  }

  /** Use of each resource that may be charged but not stored yet. */
  all(now: number): Amounts {
    this.#forget(now);
    const sums = new Map<string, Quantity>();
    for (const { resource, amount } of this.#charges) {
      sums.set(resource, (sums.get(resource) ?? Quantity.zero).add(amount));
    }
    return sums;
  }

  #forget(now: number): void {
    const first = this.#charges.findIndex(({ at }) => at + this.#windowMs > now);
    this.#charges = first < 0 ? [] : this.#charges.slice(first);
  }
}
