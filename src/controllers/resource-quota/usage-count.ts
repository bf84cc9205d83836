import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Quantity } from "../../apimachinery/values/quantity.js";
import { addTo } from "../../apis/core/resource-quota/amounts.js";
import { chargedHere, type Measure, type QuotaEvaluator } from "../../apis/core/resource-quota/evaluator.js";
import type { ScopedResourceSelectorRequirement } from "../../apis/gen/core-v1.js";
import { nextTurn, turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject } from "../../storage/object-store.js";

export interface Count {
  readonly used: ReadonlyMap<string, Quantity>;
  /** When an object's usage will drop without a change, in milliseconds since the epoch. */
  readonly changesAt: number | undefined;
}

export interface CountRequest {
  readonly registry: ResourceRegistry;
  readonly evaluator: QuotaEvaluator;
  readonly namespace: string;
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
  readonly now: number;
}

/** Counts of one resource in one namespace. */
interface Counting {
  /** Requests for the next walk, which sees everything stored before they came. */
  requests: CountRequest[];
  next: Promise<ReadonlyMap<CountRequest, Count>> | undefined;
  /** Resolves at the end of the walk in progress. */
  current: Promise<unknown>;
}

/** Objects that count for the same scopes. */
interface Tally {
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
  readonly used: Map<string, Quantity>;
  changesAt: number | undefined;
}

/**
 * Counts the use of the objects in a namespace, once for all quotas that ask at about the same time. Measurements are cached as long as
 * their objects.
 */
export class UsageCount {
  readonly #measures = new WeakMap<StoredObject<ApiObject>, Measure>();
  readonly #countings = new WeakMap<ResourceRegistry, Map<string, Counting>>();

  async count(request: CountRequest): Promise<Count> {
    const { registry, namespace } = request;
    const byNamespace = this.#countings.get(registry) ?? new Map<string, Counting>();
    this.#countings.set(registry, byNamespace);
    const counting = byNamespace.get(namespace) ?? {
      requests: [],
      next: undefined,
      current: Promise.resolve(),
    };
    byNamespace.set(namespace, counting);
    counting.requests.push(request);
    counting.next ??= this.#walkNext(counting);
    const counts = await counting.next;
    if (counting.requests.length === 0) byNamespace.delete(namespace);
    const count = counts.get(request);
    if (count === undefined) throw new Error(`${namespace} was not counted`);
    return count;
  }

  async #walkNext(counting: Counting): Promise<ReadonlyMap<CountRequest, Count>> {
    await counting.current;
    await nextTurn();
    const { requests } = counting;
    counting.requests = [];
    counting.next = undefined;
    const walk = this.#walk(requests);
    counting.current = walk.catch(() => undefined);
    return await walk;
  }

  async #walk(requests: readonly CountRequest[]): Promise<ReadonlyMap<CountRequest, Count>> {
    const [first] = requests;
    if (first === undefined) return new Map();
    const { registry, evaluator, namespace } = first;
    const now = Math.max(...requests.map((request) => request.now));
    const tallies = new Map<string, Tally>();
    const counts = new Map<CountRequest, Count>();
    for (const request of requests) {
      const key = JSON.stringify(request.scopes);
      const tally = tallies.get(key) ?? { scopes: request.scopes, used: new Map(), changesAt: undefined };
      tallies.set(key, tally);
      counts.set(request, tally);
    }
    const { items } = await registry.list({ prefix: `${namespace}/`, at: { kind: "mostRecent" }, limit: 0 });
    for (const stored of items) {
      await turnIfRoundIsOver();
      const known = this.#known(evaluator, stored, now) ?? (await this.#measured(evaluator, stored, now));
      const measure = known.chargedElsewhere === undefined ? known : await chargedHere(known, now);
      for (const tally of tallies.values()) {
        if (tally.scopes.every((scope) => measure.matchesScope(scope))) addMeasure(tally, measure);
      }
    }
    return counts;
  }

  #known(evaluator: QuotaEvaluator, stored: StoredObject<ApiObject>, now: number): Measure | undefined {
    if (evaluator.constant !== undefined) return evaluator.constant;
    const known = this.#measures.get(stored);
    return known === undefined || (known.changesAt !== undefined && now > known.changesAt)
      ? undefined
      : known;
  }

  async #measured(evaluator: QuotaEvaluator, stored: StoredObject<ApiObject>, now: number): Promise<Measure> {
    const object = stored.decode();
    // For a pod with thousands of quantities, this and the following step take tens of milliseconds each.
    await turnIfRoundIsOver();
    const measure = evaluator.measure(object, now);
    this.#measures.set(stored, measure);
    return measure;
  }
}

function addMeasure(tally: Tally, { usage, changesAt }: Measure): void {
  if (changesAt !== undefined) tally.changesAt = Math.min(tally.changesAt ?? Infinity, changesAt);
  addTo(tally.used, usage);
}
