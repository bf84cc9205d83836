import type { ApiObject } from "../../apimachinery/meta.js";
import type { Quantity } from "../../apimachinery/quantity.js";
import { nextTurn } from "../../apimachinery/turns.js";
import type { Measure, QuotaEvaluator } from "../../apis/core/resource-quota/evaluator.js";
import type { ScopedResourceSelectorRequirement } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject } from "../../storage/object-store.js";

export interface Count {
  readonly used: ReadonlyMap<string, Quantity>;
  /** Milliseconds since the epoch, when an object's use will drop by itself. */
  readonly changesAt: number | undefined;
}

export interface CountRequest {
  readonly registry: ResourceRegistry;
  readonly evaluator: QuotaEvaluator;
  readonly namespace: string;
  /** Names of the quota's resources that the evaluator counts. */
  readonly names: readonly string[];
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
  readonly now: number;
}

/** Objects measured per turn of the event loop. */
const objectsPerTurn = 200;

/** Counts the use of the objects in a namespace. Measurements are cached as long as their objects live. */
export class UsageCount {
  readonly #measures = new WeakMap<StoredObject<ApiObject>, Measure>();

  async count({ registry, evaluator, namespace, names, scopes, now }: CountRequest): Promise<Count> {
    const { items } = await registry.list({ prefix: `${namespace}/`, at: { kind: "mostRecent" }, limit: 0 });
    const totals = new Map<string, Quantity>();
    let changesAt: number | undefined;
    for (const [index, stored] of items.entries()) {
      if (index % objectsPerTurn === objectsPerTurn - 1) await nextTurn();
      const measure = this.#measure(evaluator, stored, now);
      if (!scopes.every((scope) => measure.matchesScope(scope))) continue;
      if (measure.changesAt !== undefined) changesAt = Math.min(changesAt ?? Infinity, measure.changesAt);
      for (const name of names) {
        const amount = measure.usage.get(name);
        if (amount !== undefined) totals.set(name, totals.get(name)?.add(amount) ?? amount);
      }
    }
    return { used: totals, changesAt };
  }

  #measure(evaluator: QuotaEvaluator, stored: StoredObject<ApiObject>, now: number): Measure {
    if (evaluator.constant !== undefined) return evaluator.constant;
    const known = this.#measures.get(stored);
    if (known !== undefined && (known.changesAt === undefined || now <= known.changesAt)) return known;
    const measure = evaluator.measure(stored.decode(), now);
    this.#measures.set(stored, measure);
    return measure;
  }
}
