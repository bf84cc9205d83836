import { Quantity } from "../../apimachinery/quantity.js";
import type { Amounts } from "../../apis/core/resource-quota/amounts.js";

interface Charge {
  readonly at: number;
  readonly resource: string;
  readonly amount: Quantity;
}

/**
 * By how much the use of a quota was raised a short while ago. Admission raises it before the object is stored, here or by another
 * server, so a count may not have seen the object yet.
 */
export class RecentCharges {
  readonly #windowMs: number;
  #charges: Charge[] = [];
  #used: Amounts | undefined;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Takes note of a state of the quota, in order. All that is used in the first one counts as recent. */
  observe(used: Amounts, now: number): void {
    for (const [resource, amount] of used) {
      const before = this.#used?.get(resource);
      const more = before === undefined ? amount : amount.sub(before);
      if (more.sign() > 0) this.#charges.push({ at: now, resource, amount: more });
    }
    this.#used = used;
    this.#forget(now);
  }

  /** What may be charged and not stored yet. */
  of(resource: string, now: number): Quantity {
    this.#forget(now);
    return this.#charges
      .filter((charge) => charge.resource === resource)
      .reduce((sum, { amount }) => sum.add(amount), Quantity.zero);
  }

  #forget(now: number): void {
    const first = this.#charges.findIndex(({ at }) => at + this.#windowMs > now);
    this.#charges = first < 0 ? [] : this.#charges.slice(first);
  }
}
