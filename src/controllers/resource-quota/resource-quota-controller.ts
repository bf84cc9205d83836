import { addToSet, removeFromSet } from "../../apimachinery/collections/groups.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import { type Amounts, addTo, readAmounts, writeAmounts } from "../../apis/core/resource-quota/amounts.js";
import { type QuotaEvaluators, scopesOf } from "../../apis/core/resource-quota/evaluators.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { nextTurn } from "../../event-loop/turns.js";
import { type Following, follow } from "../../informers/follow.js";
import { namespaceOfKey } from "../../informers/informer-index.js";
import type { StoredObject, WatchEventType } from "../../storage/object-store.js";
import type { Controller, ControllerContext } from "../controller.js";
import { controllerQueue } from "../controller-queue.js";
import { writeStatus } from "../status-write.js";
import type { WorkQueue } from "../work-queue.js";
import { CountedResources, keyOf } from "./counted-resources.js";
import { RecentCharges } from "./recent-charges.js";
import { UsageCount } from "./usage-count.js";

interface KnownQuota {
  /** As JSON. */
  readonly spec: string;
  /** The newest known state. */
  readonly resourceVersion: string | undefined;
  /** Keys of the resources that are counted. */
  readonly resources: ReadonlySet<string>;
  readonly recent: RecentCharges;
}

/** Longer than an object takes from admission to storage, at any server. */
const chargeWindowMs = 2000;
/** Delays the count, so that a burst of changes is counted once. */
const deletionDelayMs = 50;
const changeDelayMs = 500;
/** More than is usual in one namespace. Quotas that are due together share a count. */
const quotasAtOnce = 100;
/** Like the controller manager's `--resource-quota-sync-period`. */
const recountPeriodMs = 5 * 60_000;

/**
 * Writes the use of a namespace into the status of its quotas: at the start, when a quota's spec changes, and when objects change. Never
 * releases what admission has just charged. Source: Kubernetes documentation, "Resource Quotas".
 */
export class ResourceQuotaController implements Controller {
  readonly #context: ControllerContext;
  readonly #evaluators: QuotaEvaluators;
  readonly #elapsedMs: () => number;
  readonly #counter = new UsageCount();
  readonly #quotas = new Map<string, KnownQuota>();
  readonly #keysByNamespace = new Map<string, Set<string>>();
  readonly #counted: CountedResources;
  /** When quotas are due, by `performance.now`. */
  readonly #due = new Map<string, number>();
  /** By quota: cancels the next periodic recount. */
  readonly #later = new Map<string, () => void>();
  readonly #queue: WorkQueue<string>;
  #unsubscribe: () => void = () => undefined;
  #following: Following | undefined;

  /** `elapsedMs`: the clock by which charges age; unlike the cluster's clock, it never stands still. */
  constructor(
    context: ControllerContext,
    evaluators: QuotaEvaluators,
    elapsedMs: () => number = () => performance.now(),
  ) {
    this.#context = context;
    this.#elapsedMs = elapsedMs;
    this.#evaluators = evaluators;
    this.#counted = new CountedResources(context, (type, resource, namespace) =>
      this.#objectChanged(type, resource, namespace),
    );
    this.#queue = controllerQueue(context, {
      name: "resourcequota_primary",
      work: (key) => this.#recount(key),
      workers: quotasAtOnce,
      file: "controllers/resource-quota/resource-quota-controller",
      failure: "the count of a quota will be retried",
      about: (key) => ({ key }),
    });
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#context.onRegistries(({ added, removed }) => {
      for (const { definition } of removed) this.#counted.unfollow(keyOf(definition));
      if (!added.some(({ definition }) => this.#counted.has(keyOf(definition)))) return;
      this.#counted.followServed();
      for (const key of this.#quotas.keys()) this.#schedule(key, changeDelayMs);
    });
    this.#following = await follow(
      this.#context.builtin("resourcequotas"),
      { change: (type, stored) => this.#quotaChanged(type, stored) },
      { immediate: true },
    );
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#following?.stop();
    this.#counted.stop();
    for (const cancel of this.#later.values()) cancel();
    await this.#queue.close();
  }

  #quotaChanged(type: WatchEventType, stored: StoredObject<ResourceQuota>): void {
    const { key } = stored;
    const namespace = namespaceOfKey(key);
    const before = this.#quotas.get(key);
    if (type === "DELETED") {
      this.#quotas.delete(key);
      this.#counted.replace(before?.resources, undefined);
      this.#due.delete(key);
      this.#cancelCount(key);
      removeFromSet(this.#keysByNamespace, namespace, key);
      return;
    }
    const { metadata, spec, status } = stored.decode();
    const known: KnownQuota = {
      spec: JSON.stringify(spec),
      resourceVersion: metadata.resourceVersion,
      resources: this.#countedBy(spec),
      recent: before?.recent ?? new RecentCharges(chargeWindowMs),
    };
    this.#quotas.set(key, known);
    addToSet(this.#keysByNamespace, namespace, key);
    known.recent.observe(readAmounts(status.used), this.#elapsedMs());
    if (before?.spec !== known.spec) {
      this.#counted.replace(before?.resources, known.resources);
      this.#schedule(key, 0);
    } else {
      // Releases the charges of objects that were not stored after all.
      this.#schedule(key, chargeWindowMs);
    }
  }

  #countedBy({ hard }: ResourceQuota["spec"]): ReadonlySet<string> {
    return new Set(Object.keys(hard ?? {}).flatMap((name) => this.#evaluators.countedBy(name).map(keyOf)));
  }

  #objectChanged(type: WatchEventType, resource: string, namespace: string): void {
    const keys = this.#keysByNamespace.get(namespace);
    if (keys === undefined) return;
    const delay = type === "DELETED" ? deletionDelayMs : changeDelayMs;
    for (const key of keys) {
      if (this.#quotas.get(key)?.resources.has(resource) === true) this.#schedule(key, delay);
    }
  }

  /** Schedules a count of the quota within `delayMs`. */
  #schedule(key: string, delayMs: number): void {
    const at = this.#elapsedMs() + delayMs;
    const due = this.#due.get(key);
    if (due !== undefined && due <= at) return;
    this.#due.set(key, at);
    this.#queue.addAfter(key, delayMs);
  }

  /** Schedules a recount at a time of the cluster's clock, unless a change comes first. */
  #countAgain(key: string, delayMs: number): void {
    this.#cancelCount(key);
    const count = (): void => {
      this.#later.delete(key);
      this.#queue.add(key);
    };
    this.#later.set(key, this.#context.clock.schedule(delayMs, count));
  }

  #cancelCount(key: string): void {
    this.#later.get(key)?.();
    this.#later.delete(key);
  }

  async #recount(key: string): Promise<void> {
    this.#due.delete(key);
    this.#cancelCount(key);
    const known = this.#quotas.get(key);
    if (known === undefined) return;
    const startedAt = this.#elapsedMs();
    const quota = await this.#find(key);
    if (quota === undefined) return;
    if (quota.metadata.resourceVersion !== known.resourceVersion) {
      // A count would release charges that this server has not seen yet.
      this.#schedule(key, deletionDelayMs);
      return;
    }
    // A quota may have thousands of resources, so each stage is some milliseconds of work.
    await nextTurn();
    const { used, changesAt } = await this.#count(quota);
    await nextTurn();
    const bounded = this.#withRecent(quota, used, known.recent);
    try {
      await this.#write(quota, bounded);
    } catch (error) {
      if (!(error instanceof QuotaChanged)) throw error;
      // While objects are being created, most counts are outdated before they are written.
      this.#schedule(key, changeDelayMs);
      return;
    }
    if ([...bounded].some(([name, amount]) => used.get(name)?.compare(amount) !== 0)) {
      this.#schedule(key, chargeWindowMs);
    }
    const recountMs = recountPeriodMs + this.#elapsedMs() - startedAt;
    const changeMs = changesAt === undefined ? recountMs : Math.max(0, changesAt - this.#now()) + 1;
    this.#countAgain(key, Math.min(recountMs, changeMs));
  }

  async #find(key: string): Promise<ResourceQuota | undefined> {
    const namespace = namespaceOfKey(key);
    const registry = this.#context.builtin("resourcequotas");
    const name = key.slice(namespace.length + 1);
    return (await registry.find(namespace, name, { kind: "mostRecent" }))?.decode();
  }

  async #count({ metadata, spec }: ResourceQuota) {
    const wanted = this.#countedBy(spec);
    const used = new Map<string, Quantity>();
    let changesAt: number | undefined;
    for (const registry of this.#context.registries()) {
      const { definition } = registry;
      const evaluator = wanted.has(keyOf(definition)) ? this.#evaluators.of(definition) : undefined;
      if (evaluator === undefined || !definition.namespaced) continue;
      const names = Object.keys(spec.hard ?? {}).filter((name) => evaluator.counts(name));
      const found = await this.#counter.count({
        registry,
        evaluator,
        namespace: metadata.namespace ?? "",
        scopes: scopesOf(spec),
        now: this.#now(),
      });
      addTo(used, new Map(names.map((name) => [name, found.used.get(name) ?? Quantity.zero])));
      if (found.changesAt !== undefined) changesAt = Math.min(changesAt ?? Infinity, found.changesAt);
    }
    return { used, changesAt };
  }

  /** A charged object may not be stored yet: recent charges stay. */
  #withRecent({ status }: ResourceQuota, counted: Amounts, recent: RecentCharges): Amounts {
    const before = readAmounts(status.used);
    const charges = recent.all(this.#elapsedMs());
    const result = new Map<string, Quantity>();
    for (const [name, amount] of counted) {
      const charged = before.get(name);
      if (charged === undefined || charged.compare(amount) <= 0) {
        result.set(name, amount);
        continue;
      }
      const atLeast = amount.add(charges.get(name) ?? Quantity.zero);
      result.set(name, atLeast.compare(charged) < 0 ? atLeast : charged);
    }
    return result;
  }

  /** Rejects with `QuotaChanged` when it was charged meanwhile: the count may have missed objects. */
  async #write({ metadata, spec }: ResourceQuota, used: Amounts): Promise<void> {
    const { namespace = "", name = "", uid, resourceVersion } = metadata;
    await writeStatus(this.#context, this.#context.builtin("resourcequotas"), {
      namespace,
      name,
      as: "system:serviceaccount:resourcequota-controller",
      uid,
      change: (quota) => {
        if (quota.metadata.resourceVersion !== resourceVersion) throw new QuotaChanged();
        quota.status = { hard: { ...spec.hard }, used: writeAmounts(used) };
      },
    });
  }

  #now(): number {
    return this.#context.now().getTime();
  }
}

class QuotaChanged extends Error {}
