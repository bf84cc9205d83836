import { microTimestamp } from "../apimachinery/values/time.js";
import type { Lease } from "../apis/gen/coordination-v1.js";
import { type Controller, type ControllerContext, serverWrite } from "./controller.js";
import { ignoreAlreadyExists, ignoreNotFoundOrConflict } from "./ignore-errors.js";

export interface IdentityLeaseOptions {
  readonly identity: {
    /** Name of this server and of its lease. */
    readonly name: string;
    readonly holder: string;
    /** The label of the leases of API servers. */
    readonly label: { readonly name: string; readonly value: string };
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly namespace: string;
  readonly durationSeconds: number;
  readonly renewIntervalMs: number;
}

/**
 * Maintains a Lease that announces this server while it runs, and deletes those that other servers stopped renewing. Source: gate
 * APIServerIdentity, `pkg/controlplane/controller/apiserverleasegc`.
 */
export class IdentityLeaseController implements Controller {
  readonly #context: ControllerContext;
  readonly #options: IdentityLeaseOptions;
  readonly #cancels: (() => void)[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, options: IdentityLeaseOptions) {
    this.#context = context;
    this.#options = options;
  }

  async start(): Promise<void> {
    // A server that cannot write, as on a full disk, must still start: it answers reads, and accepts deletions that free space.
    await this.#attempt(() => this.#renew());
    await this.#attempt(() => this.collect());
    this.#every(this.#options.renewIntervalMs, () => this.#renew());
    this.#every(this.#options.durationSeconds * 1000, () => this.collect());
  }

  async stop(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    await this.#running;
  }

  /** Deletes expired leases. */
  async collect(): Promise<void> {
    const { namespace, identity } = this.#options;
    const { label } = identity;
    const { items } = await this.#leases.list({
      prefix: `${namespace}/`,
      at: { kind: "any" },
      limit: 0,
      matches: ({ labels }) => labels[label.name] === label.value,
    });
    const write = serverWrite(this.#context, namespace);
    for (const stored of items) {
      const { metadata } = stored.decode();
      if (!this.#isExpired(stored.decode())) continue;
      // The precondition protects a lease that was renewed meanwhile.
      const preconditions = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
      await ignoreNotFoundOrConflict(this.#leases.delete(write, metadata.name ?? "", { preconditions }));
    }
  }

  get #leases() {
    return this.#context.builtin("leases.coordination");
  }

  async #renew(): Promise<void> {
    const { identity, namespace, durationSeconds } = this.#options;
    const renewTime = microTimestamp(this.#context.now());
    const fresh: Lease = {
      metadata: { name: identity.name, namespace, labels: { ...identity.labels } },
      spec: { holderIdentity: identity.holder, leaseDurationSeconds: durationSeconds, renewTime },
    };
    const write = serverWrite(this.#context, namespace);
    const renewed = this.#leases.update(write, identity.name, {
      transform: async (latest) => {
        if (latest === undefined) return fresh;
        const lease = latest.copy();
        return { ...lease, spec: { ...lease.spec, ...fresh.spec } };
      },
      createIfMissing: true,
    });
    await ignoreAlreadyExists(renewed);
  }

  /** Servers always set a time, so a lease without one is not theirs. */
  #isExpired({ spec: { renewTime, leaseDurationSeconds } }: Lease): boolean {
    if (renewTime === undefined || leaseDurationSeconds === undefined) return true;
    return Date.parse(renewTime) + leaseDurationSeconds * 1000 < this.#context.now().getTime();
  }

  #every(intervalMs: number, work: () => Promise<void>): void {
    const { clock } = this.#context;
    const cancel = clock.every(intervalMs, () => {
      this.#running = this.#running.then(() => this.#attempt(work));
      clock.track(this.#running);
    });
    this.#cancels.push(cancel);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const context = { level: 2, file: "controllers/identity-lease" };
      const reason = String(error);
      this.#context.log.verbose(context, "the leases of the API servers could not be renewed", { reason });
    }
  }
}
