import type { Clock } from "../../time/clock.js";
import type { LeaseId } from "../kv.js";
import type { LeaseRecord } from "./record-layout.js";

/** The same interval as etcd's. */
const periodMs = 500;

export interface LeaseExpiryOptions {
  readonly clock: Clock;
  readonly leases: ReadonlyMap<LeaseId, LeaseRecord>;
  /** Deletes the lease and its keys, unless it was renewed meanwhile. */
  readonly expire: (lease: LeaseId) => Promise<void>;
  readonly onFailure: (reason: unknown) => void;
}

/** Checks for expired leases as long as there are leases. */
export class LeaseExpiry {
  readonly #options: LeaseExpiryOptions;
  #cancel: (() => void) | undefined;
  #isRunning = false;
  #stopped = false;

  constructor(options: LeaseExpiryOptions) {
    this.#options = options;
  }

  /** Call it after granting a lease, and once at the start. */
  schedule(): void {
    if (this.#stopped || this.#cancel !== undefined || this.#options.leases.size === 0) return;
    const { clock } = this.#options;
    this.#cancel = clock.every(periodMs, () => {
      if (this.#isRunning) return;
      this.#isRunning = true;
      const run = this.#run().finally(() => {
        this.#isRunning = false;
        if (this.#options.leases.size === 0) this.#pause();
      });
      clock.track(run);
    });
  }

  #pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.#pause();
  }

  async #run(): Promise<void> {
    const now = this.#options.clock.now();
    const expired: LeaseId[] = [];
    for (const [lease, { expiresAt }] of this.#options.leases) if (expiresAt <= now) expired.push(lease);
    for (const lease of expired) {
      if (this.#stopped) return;
      try {
        await this.#options.expire(lease);
      } catch (error) {
        this.#options.onFailure(error);
      }
    }
  }
}
