import type { Namespace } from "../apis/gen/core-v1.js";
import { type Clock, systemClock } from "../time/clock.js";
import type { Controller, ControllerContext } from "./controller.js";
import { createIfMissing } from "./create-if-missing.js";

/** A deleted namespace is restored within this time. */
const repairMs = 60_000;

/** Restores the namespaces that every cluster has. Source: kube-apiserver's bootstrap controller. */
export class SystemNamespaces implements Controller {
  readonly #context: ControllerContext;
  readonly #namespaces: readonly Namespace[];
  readonly #clock: Clock;
  #isStopped = false;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, namespaces: readonly Namespace[], clock: Clock = systemClock) {
    this.#context = context;
    this.#namespaces = namespaces;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    this.#repairLater();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }

  #repairLater(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#clock.schedule(repairMs, () => {
      this.#running = this.#repair();
    });
  }

  /** Failures are retried the next time. */
  async #repair(): Promise<void> {
    for (const namespace of this.#namespaces) {
      await createIfMissing(this.#context, "namespaces", "", structuredClone(namespace)).catch(
        (error: unknown) => {
          const { name } = namespace.metadata;
          this.#context.log.error("a system namespace could not be created", error, {
            namespace: name,
          });
        },
      );
    }
    this.#repairLater();
  }
}
