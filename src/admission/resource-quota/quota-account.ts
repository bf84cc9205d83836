import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { charge, type Delta, refund } from "./quota-charge.js";

/** Changes the status of a quota in the store, and again after a conflict. Does nothing when the quota is gone. */
export type ChangeQuota = (
  namespace: string,
  name: string,
  change: (status: ResourceQuota["status"]) => ResourceQuota["status"],
) => Promise<void>;

interface Order {
  /** Names of the quotas to charge. */
  readonly quotas: readonly string[];
  readonly delta: Delta;
  readonly settle: (problem: string | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Charges quotas in the store. Charges for a namespace that arrive during a write are combined into the next one: many concurrent
 * creates would otherwise conflict.
 */
export class QuotaAccount {
  readonly #change: ChangeQuota;
  readonly #waiting = new Map<string, Order[]>();

  constructor(change: ChangeQuota) {
    this.#change = change;
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
    const refused = new Map<Order, string>();
    const charged = new Map<string, Order[]>();
    for (const name of [...new Set(orders.flatMap(({ quotas }) => quotas))].sort()) {
      const due = orders.filter((order) => order.quotas.includes(name) && !refused.has(order));
      let problems = new Map<Order, string>();
      let accepted: Order[] = [];
      await this.#change(namespace, name, (before) => {
        problems = new Map();
        accepted = [];
        let status = before;
        for (const order of due) {
          const outcome = charge(name, status, order.delta);
          if (outcome === undefined) continue;
          if ("problem" in outcome) {
            problems.set(order, outcome.problem);
          } else {
            status = outcome.status;
            accepted.push(order);
          }
        }
        return status;
      });
      for (const [order, problem] of problems) refused.set(order, problem);
      charged.set(name, accepted);
    }
    await this.#refund(namespace, charged, refused);
    return refused;
  }

  /** Charges to return because a later quota refused the object. */
  async #refund(
    namespace: string,
    charged: ReadonlyMap<string, readonly Order[]>,
    refused: ReadonlyMap<Order, string>,
  ): Promise<void> {
    if (refused.size === 0) return;
    for (const [name, orders] of charged) {
      const back = orders.filter((order) => refused.has(order));
      if (back.length === 0) continue;
      await this.#change(namespace, name, (status) =>
        back.reduce((result, { delta }) => {
          const limited = [...delta].filter(([resource]) => status.hard?.[resource] !== undefined);
          return refund(result, new Map(limited));
        }, status),
      );
    }
  }
}
