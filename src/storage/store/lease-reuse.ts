import type { Clock } from "../../time/clock.js";
import type { KeyValueStore, LeaseId } from "../kv.js";

export interface LeaseReuseOptions {
  readonly kv: KeyValueStore;
  readonly clock: Clock;
  /** How much longer than its TTL an object may live because it shares a lease; also at most 5 % of the TTL. */
  readonly reuseDurationSeconds: number;
  /** Objects per lease; beyond this a new one is granted. Default 1000. */
  readonly objectsMax?: number | undefined;
  /** Called with the objects of a lease when another one takes its place. */
  readonly replaced?: ((objects: number) => void) | undefined;
}

interface CurrentLease {
  readonly id: LeaseId;
  readonly expiresAt: number;
  objects: number;
}

/**
 * One lease for many objects with about the same TTL: a lease per object would cost the store as much as the object. Source: apiserver
 * `pkg/storage/etcd3/lease_manager.go`.
 */
export class LeaseReuse {
  readonly #options: LeaseReuseOptions;
  /** By TTL: kinds with different TTLs must not evict each other's lease. */
  readonly #leases = new Map<number, Promise<CurrentLease>>();

  constructor(options: LeaseReuseOptions) {
    this.#options = options;
  }

  /** A lease that lasts at least `ttlSeconds`, and longer by at most the reuse duration. */
  async lease(ttlSeconds: number): Promise<LeaseId> {
    const extraSeconds = Math.min(Math.floor(ttlSeconds * 0.05), this.#options.reuseDurationSeconds);
    const pending = this.#leases.get(ttlSeconds);
    if (pending !== undefined) {
      const current = await pending;
      const lastsLongEnough = this.#options.clock.now() + ttlSeconds * 1000 < current.expiresAt;
      if (lastsLongEnough && current.objects < (this.#options.objectsMax ?? 1000)) {
        current.objects++;
        return current.id;
      }
      // Another caller may have replaced it while this one waited.
      if (this.#leases.get(ttlSeconds) !== pending) return this.lease(ttlSeconds);
      this.#options.replaced?.(current.objects);
    }
    const granted = this.#grant(ttlSeconds + extraSeconds);
    this.#leases.set(ttlSeconds, granted);
    granted.catch(() => {
      if (this.#leases.get(ttlSeconds) === granted) this.#leases.delete(ttlSeconds);
    });
    const lease = await granted;
    lease.objects++;
    return lease.id;
  }

  /** The next object gets a new lease. */
  forget(ttlSeconds: number): void {
    this.#leases.delete(ttlSeconds);
  }

  async #grant(ttlSeconds: number): Promise<CurrentLease> {
    const expiresAt = this.#options.clock.now() + ttlSeconds * 1000;
    return { id: await this.#options.kv.grantLease(ttlSeconds), expiresAt, objects: 0 };
  }
}
