import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import type { Encryption, KmsHealthCheck } from "./encryption.js";
import type { SharedSeeds } from "./shared-seed.js";
import type { ValueTransformer } from "./value-transformer.js";

export interface ReloadedEncryptionOptions {
  readonly open: (content: Uint8Array) => Promise<Encryption>;
  /** For resources that are not encrypted. */
  readonly identity: ValueTransformer;
  readonly clock: Clock;
}

const lookMs = 100;
const healthyWithinMsMin = 10_000;

/** An encryption that can be replaced while values are read and written. */
export class ReloadedEncryption implements Encryption {
  readonly #options: ReloadedEncryptionOptions;
  #current: Encryption;
  readonly #former = new Set<Encryption>();
  #isClosed = false;

  constructor(current: Encryption, options: ReloadedEncryptionOptions) {
    this.#current = current;
    this.#options = options;
  }

  /** For every resource, because a reloaded file may name it. */
  transformerFor(group: string, resource: string): ValueTransformer {
    let of: Encryption | undefined;
    let transformer = this.#options.identity;
    const current = (): ValueTransformer => {
      if (of !== this.#current) {
        of = this.#current;
        transformer = of.transformerFor(group, resource) ?? this.#options.identity;
      }
      return transformer;
    };
    return {
      toStorage: (value, key) => current().toStorage(value, key),
      fromStorage: (value, key) => current().fromStorage(value, key),
    };
  }

  get healthChecks(): readonly KmsHealthCheck[] {
    return this.#current.healthChecks.map(({ name }, index) => ({
      name,
      check: async () => this.#current.healthChecks[index]?.check(),
    }));
  }

  get seeds(): SharedSeeds {
    return this.#current.seeds;
  }

  get callsMs(): number {
    return this.#current.callsMs;
  }

  /** Switches to another file. Rejects and changes nothing if it cannot be used, or its key services are not healthy in time. */
  async replace(content: Uint8Array): Promise<void> {
    const next = await this.#options.open(content);
    try {
      await this.#untilHealthy(next);
      if (this.#isClosed) throw new Error("the server is stopping");
    } catch (error) {
      next.close();
      throw error;
    }
    const former = this.#current;
    this.#current = next;
    this.#former.add(former);
    // Closed later, so that calls in progress can finish.
    this.#options.clock.schedule(former.callsMs, () => {
      this.#former.delete(former);
      former.close();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const encryption of [...this.#former, this.#current]) encryption.close();
  }

  async #untilHealthy({ healthChecks, callsMs }: Encryption): Promise<void> {
    const { clock } = this.#options;
    const giveUpAt = clock.now() + Math.max(callsMs, healthyWithinMsMin);
    for (;;) {
      try {
        for (const { check } of healthChecks) await check();
        return;
      } catch (error) {
        if (this.#isClosed || clock.now() >= giveUpAt) {
          throw new Error(`health check for new transformers failed: ${messageOf(error)}`, { cause: error });
        }
      }
      await sleep(clock, lookMs);
    }
  }
}
