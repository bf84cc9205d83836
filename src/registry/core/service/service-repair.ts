import type { Clock } from "../../../storage/clock.js";
import type { RangeRepair } from "./repair.js";

/** Between two repairs. */
export const repairIntervalMs = 3 * 60 * 1000;

export interface ServiceRepairParts {
  readonly repairs: readonly RangeRepair[];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Repairs the allocations of all ranges when the server starts, and every three minutes. */
export class ServiceRepair {
  readonly #parts: ServiceRepairParts;
  #cancel: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: ServiceRepairParts) {
    this.#parts = parts;
  }

  async repairOnce(): Promise<void> {
    for (const repair of this.#parts.repairs) await repair.repairOnce();
  }

  /** Resolves after the first successful repair: nothing can be allocated to a service before. */
  async start(): Promise<void> {
    await this.repairOnce();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#running;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#parts.clock.schedule(repairIntervalMs, () => {
      this.#running = this.repairOnce()
        .catch(this.#parts.onError)
        .finally(() => this.#schedule());
    });
  }
}
