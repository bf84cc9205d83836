import type { Clock } from "../../../time/clock.js";
import type { Repairs } from "./repair.js";

/** Time between two repairs. */
export const repairIntervalMs = 3 * 60 * 1000;
/**
 * Interval of the first two repairs after the one at the start, where other servers write too: what a killed server left behind is freed
 * at the third sighting, and no write takes as long as these two intervals.
 */
export const earlyIntervalMs = 40 * 1000;
const earlyRepairs = 2;

export interface ServiceRepairParts {
  readonly repairs: readonly Repairs[];
  /** Only this server writes to the store, so nothing is in progress when it starts. */
  readonly isOnlyWriter: boolean;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Repairs the allocations of all ranges when the server starts, and every three minutes. */
export class ServiceRepair {
  readonly #parts: ServiceRepairParts;
  #cancel: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #earlyLeft: number;

  constructor(parts: ServiceRepairParts) {
    this.#parts = parts;
    this.#earlyLeft = parts.isOnlyWriter ? 0 : earlyRepairs;
  }

  /** `nobodyWrites`: see `RangeRepair`. */
  async repairOnce(nobodyWrites = false): Promise<void> {
    for (const repair of this.#parts.repairs) await repair.repairOnce(nobodyWrites);
  }

  /** Resolves after the first successful repair, before which nothing can be allocated. Call it before the first write. */
  async start(): Promise<void> {
    await this.repairOnce(this.#parts.isOnlyWriter);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#running;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const isEarly = this.#earlyLeft > 0;
    if (isEarly) this.#earlyLeft--;
    this.#cancel = this.#parts.clock.schedule(isEarly ? earlyIntervalMs : repairIntervalMs, () => {
      this.#running = this.repairOnce()
        .catch(this.#parts.onError)
        .finally(() => this.#schedule());
    });
  }
}
