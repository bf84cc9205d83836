import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { Lease, LeaseSpec } from "../../apis/gen/coordination-v1.js";
import { type ControllerContext, serverWrite } from "../controller.js";
import { microTime } from "./election.js";

export interface LeadershipOptions {
  readonly namespace: string;
  /** Name of the lease that the leader holds. */
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** A leader that cannot renew for this long stops leading. */
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly onStarted: () => Promise<void>;
  readonly onStopped: () => Promise<void>;
}

interface Seen {
  readonly record: string;
  readonly atMs: number;
}

/** Leads while it holds a lease that others compete for too. Source: client-go, `tools/leaderelection`. */
export class Leadership {
  readonly #context: ControllerContext;
  readonly #options: LeadershipOptions;
  #cancel: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  /** The last change of another holder's lease, because its times are those of another machine's clock. */
  #seen: Seen | undefined;
  #renewedAt = 0;
  #isLeading = false;

  constructor(context: ControllerContext, options: LeadershipOptions) {
    this.#context = context;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { clock } = this.#context;
    const step = () => {
      this.#running = this.#running.then(() => this.#step());
      clock.track(this.#running);
      return this.#running;
    };
    this.#cancel = clock.every(this.#options.retryPeriodMs, () => void step());
    await step();
  }

  /** Releases the lease, so that another may lead at once. */
  async stop(): Promise<void> {
    this.#cancel();
    await this.#running;
    if (!this.#isLeading) return;
    await this.#lose();
    const time = microTime(this.#now());
    const released = { holderIdentity: "", leaseDurationSeconds: 1, renewTime: time, acquireTime: time };
    try {
      await this.#write((current) => (this.#isOwn(current) ? { ...current, ...released } : undefined));
    } catch (error) {
      this.#tell("the lease of the leader was not given up", error);
    }
  }

  async #step(): Promise<void> {
    try {
      if (await this.#tryHold()) {
        this.#renewedAt = this.#now();
        if (!this.#isLeading) {
          this.#isLeading = true;
          await this.#options.onStarted();
        }
        return;
      }
      await this.#lose();
    } catch (error) {
      this.#tell("the lease of the leader could not be renewed", error);
      if (this.#renewedAt + this.#options.renewDeadlineMs <= this.#now()) await this.#lose();
    }
  }

  async #lose(): Promise<void> {
    if (!this.#isLeading) return;
    this.#isLeading = false;
    await this.#options.onStopped();
  }

  /** Whether the lease belongs to this server now. */
  async #tryHold(): Promise<boolean> {
    const written = await this.#write((current) => {
      const now = this.#now();
      const time = microTime(now);
      const isOwn = this.#isOwn(current);
      if (!isOwn && current !== undefined && this.#isHeld(current, now)) return undefined;
      const { leaseTransitions = 0, acquireTime = time } = current ?? {};
      return {
        ...current,
        holderIdentity: this.#options.identity,
        leaseDurationSeconds: Math.floor(this.#options.leaseDurationMs / 1000),
        renewTime: time,
        acquireTime: isOwn ? acquireTime : time,
        leaseTransitions: current === undefined || isOwn ? leaseTransitions : leaseTransitions + 1,
      };
    });
    return this.#isOwn(written);
  }

  #isOwn(spec: LeaseSpec | undefined): boolean {
    return spec?.holderIdentity === this.#options.identity;
  }

  #isHeld(spec: LeaseSpec, now: number): boolean {
    const record = JSON.stringify(spec);
    if (this.#seen?.record !== record) this.#seen = { record, atMs: now };
    const { holderIdentity = "", leaseDurationSeconds = 0 } = spec;
    return holderIdentity !== "" && this.#seen.atMs + leaseDurationSeconds * 1000 > now;
  }

  /** `change` returns undefined to leave the lease as it is. Returns the resulting lease. */
  async #write(
    change: (spec: LeaseSpec | undefined) => LeaseSpec | undefined,
  ): Promise<LeaseSpec | undefined> {
    const { namespace, name } = this.#options;
    const leases = this.#context.builtin("leases.coordination");
    let written: LeaseSpec | undefined;
    try {
      await leases.update(serverWrite(this.#context, namespace), name, {
        transform: (latest): Lease => {
          const lease = latest?.copy() ?? { metadata: { namespace, name }, spec: {} };
          const spec = change(latest === undefined ? undefined : lease.spec);
          written = spec ?? lease.spec;
          return { ...lease, spec: written };
        },
        createIfMissing: true,
      });
    } catch (error) {
      // Another server was first.
      if (!isStatus(error, "AlreadyExists") && !isStatus(error, "Conflict")) throw error;
      return undefined;
    }
    return written;
  }

  #now(): number {
    return this.#context.now().getTime();
  }

  #tell(message: string, error: unknown): void {
    const context = { level: 2, file: "controllers/leader-election/leadership" };
    this.#context.log.verbose(context, message, { reason: messageOf(error) });
  }
}
