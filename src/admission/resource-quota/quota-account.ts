import { addToList } from "../../apimachinery/collections/groups.js";
import type { Quantity } from "../../apimachinery/values/quantity.js";
import { addTo } from "../../apis/core/resource-quota/amounts.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { type Delta, QuotaUse } from "./quota-charge.js";

/** Changes the status of a stored quota; retries on conflict. Does nothing if the quota no longer exists. */
export type ChangeQuota = (
  namespace: string,
  name: string,
  change: (status: ResourceQuota["status"]) => ResourceQuota["status"],
) => Promise<void>;

/** The last known status of a quota, without asking the store; undefined when unknown. */
export type KnownStatus = (namespace: string, name: string) => ResourceQuota["status"] | undefined;

interface Order {
  /** Names of the quotas to charge, in order. */
  readonly quotas: readonly string[];
  readonly delta: Delta;
  readonly settle: (problem: string | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Which orders a quota accepted and refused. */
interface ChargeOutcome {
  readonly name: string;
  readonly accepted: readonly Order[];
  readonly problems: ReadonlyMap<Order, string>;
}

/** Writes that are in progress at the same time. */
const writesMax = 100;

/**
 * Charges quotas in the store. Charges for a namespace that arrive during a write are combined into the next one: many concurrent
 * creates would otherwise conflict. The quotas of a namespace are written at the same time, which the store commits together.
 */
export class QuotaAccount {
  readonly #change: ChangeQuota;
  readonly #known: KnownStatus;
  readonly #waiting = new Map<string, Order[]>();

  constructor(change: ChangeQuota, known: KnownStatus) {
    this.#change = change;
    this.#known = known;
  }

  /** Resolves when all quotas are charged; rejects when one of them refuses, and then none is charged. */
  charge(namespace: string, quotas: readonly string[], delta: Delta): Promise<string | undefined> {
    return new Promise((settle, fail) => {
      const order = { quotas, delta, settle, fail };
      const waiting = this.#waiting.get(namespace);
      if (waiting !== undefined) {
        waiting.push(order);
        return;
      }
      this.#waiting.set(namespace, [order]);
      void this.#work(namespace);
    });
  }

  async #work(namespace: string): Promise<void> {
    for (;;) {
      const orders = this.#waiting.get(namespace) ?? [];
      if (orders.length === 0) {
        this.#waiting.delete(namespace);
        return;
      }
      this.#waiting.set(namespace, []);
      try {
        const problems = await this.#chargeAll(namespace, orders);
        for (const order of orders) order.settle(problems.get(order));
      } catch (error) {
        for (const order of orders) order.fail(error);
      }
    }
  }

  async #chargeAll(namespace: string, orders: readonly Order[]): Promise<ReadonlyMap<Order, string>> {
    const totals = new Totals();
    const refused = new Map<Order, string>();
    const charged = new Map<string, readonly Order[]>();
    const refusing = this.#refusingQuotas(namespace, orders, totals);
    const chargeAt = async (quotasOf: (order: Order) => readonly string[]): Promise<void> => {
      const outcomes = await mapAll(byQuota(orders, quotasOf), ([name, due]) =>
        this.#chargeOne(namespace, name, due, totals),
      );
      for (const { name, accepted, problems } of outcomes) {
        charged.set(name, [...(charged.get(name) ?? []), ...accepted]);
        // Of several quotas the first one gives the reason.
        for (const [order, problem] of problems) if (!refused.has(order)) refused.set(order, problem);
      }
    };
    await chargeAt((order) => refusing.get(order) ?? order.quotas);
    // More was available than the known status showed.
    const spared = new Set(orders.filter((order) => refusing.has(order) && !refused.has(order)));
    if (spared.size > 0) {
      await chargeAt((order) =>
        spared.has(order) ? order.quotas.filter((name) => refusing.get(order)?.includes(name) !== true) : [],
      );
    }
    await this.#refund(namespace, charged, refused);
    return refused;
  }

  /**
   * The quota that refuses each order according to the known status. Only that one is charged at first: charging the others would use up
   * room for other requests until it is refunded.
   */
  #refusingQuotas(
    namespace: string,
    orders: readonly Order[],
    totals: Totals,
  ): ReadonlyMap<Order, readonly string[]> {
    const refusing = new Map<Order, readonly string[]>();
    const uses = new Map<string, QuotaUse>();
    let haveRoom = true;
    for (const [name, due] of byQuota(orders, ({ quotas }) => quotas)) {
      const status = this.#known(namespace, name);
      if (status === undefined) continue;
      const use = new QuotaUse(name, status);
      uses.set(name, use);
      haveRoom &&= use.problemWith(totals.of(due)) === undefined;
    }
    if (haveRoom) return refusing;
    for (const order of orders) {
      const name = chargeKnown(order, uses);
      if (name !== undefined) refusing.set(order, [name]);
    }
    return refusing;
  }

  async #chargeOne(
    namespace: string,
    name: string,
    orders: readonly Order[],
    totals: Totals,
  ): Promise<ChargeOutcome> {
    let problems = new Map<Order, string>();
    let accepted: Order[] = [];
    const total = totals.of(orders);
    await this.#change(namespace, name, (status) => {
      problems = new Map();
      const use = new QuotaUse(name, status);
      accepted = use.charge(total) === undefined ? [...orders] : [];
      if (accepted.length > 0) return use.status;
      for (const order of orders) {
        const problem = use.charge(order.delta);
        if (problem === undefined) accepted.push(order);
        else problems.set(order, problem);
      }
      return use.status;
    });
    return { name, accepted, problems };
  }

  /** Refunds what was charged for orders that another quota refused. */
  async #refund(
    namespace: string,
    charged: ReadonlyMap<string, readonly Order[]>,
    refused: ReadonlyMap<Order, string>,
  ): Promise<void> {
    if (refused.size === 0) return;
    await mapAll(charged, async ([name, orders]) => {
      const back = orders.filter((order) => refused.has(order));
      if (back.length === 0) return;
      await this.#change(namespace, name, (status) => {
        const use = new QuotaUse(name, status);
        for (const { delta } of back) use.refund(delta);
        return use.status;
      });
    });
  }
}

/** What several orders take together. Most quotas of a namespace are charged for the same orders. */
class Totals {
  #orders: readonly Order[] = [];
  #total: Delta = new Map();

  of(orders: readonly Order[]): Delta {
    const isSame =
      orders.length === this.#orders.length && orders.every((order, index) => order === this.#orders[index]);
    if (!isSame) {
      const total = new Map<string, Quantity>();
      for (const { delta } of orders) addTo(total, delta);
      this.#orders = orders;
      this.#total = total;
    }
    return this.#total;
  }
}

/** Charges all known quotas, or none: then returns the name of the one that refuses. */
function chargeKnown({ quotas, delta }: Order, uses: ReadonlyMap<string, QuotaUse>): string | undefined {
  const taken: QuotaUse[] = [];
  for (const name of quotas) {
    const use = uses.get(name);
    if (use === undefined) continue;
    if (use.charge(delta) !== undefined) {
      for (const each of taken) each.refund(delta);
      return name;
    }
    taken.push(use);
  }
  return undefined;
}

/** Orders by the quotas to charge, which are in the order of their names. */
function byQuota(
  orders: readonly Order[],
  quotasOf: (order: Order) => readonly string[],
): Iterable<readonly [quota: string, due: readonly Order[]]> {
  const found = new Map<string, Order[]>();
  for (const order of orders) {
    for (const name of quotasOf(order)) {
      addToList(found, name, order);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Several at a time. When all have ended, throws the first failure. */
async function mapAll<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const all = [...items];
  const results: R[] = [];
  for (let from = 0; from < all.length; from += writesMax) {
    for (const outcome of await Promise.allSettled(all.slice(from, from + writesMax).map(work))) {
      if (outcome.status === "rejected") throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
