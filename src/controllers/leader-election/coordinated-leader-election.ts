import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Lease, LeaseSpec } from "../../apis/gen/coordination-v1.js";
import type { LeaseCandidate } from "../../apis/gen/coordination-v1beta1.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import { type Following, follow } from "../../informers/follow.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type Controller, type ControllerContext, serverWrite } from "../controller.js";
import { ignoreNotFoundOrConflict } from "../ignore-errors.js";
import { WorkQueue } from "../work-queue.js";
import { nextStep, type Step } from "./ballot.js";
import { candidateValidMs, isCandidateExpired, isLeaseExpired, microTime, timeOf } from "./election.js";
import { Leadership, type LeadershipOptions } from "./leadership.js";

export type ElectionOptions = Pick<
  LeadershipOptions,
  "namespace" | "identity" | "leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs"
>;

const controllerName = "leader-election-controller";
/** How often each lease is checked even if nothing was written, because it may have expired. */
const lookIntervalMs = 5000;
/** Duration of the leases that it grants; holders renew them. */
const leaseDurationSeconds = 5;
const anyVersion = { kind: "any" } as const;

/**
 * Elects the holders of leases among their candidates, and deletes candidates that have gone. One server of a cluster does so: the holder
 * of a lease for this task. Source: KEP-4355, gate CoordinatedLeaderElection.
 */
export class CoordinatedLeaderElection implements Controller {
  readonly #context: ControllerContext;
  readonly #leadership: Leadership;
  /** Names of candidates by the key of their lease. */
  readonly #candidates = new Map<string, Set<string>>();
  #queue: WorkQueue<string> | undefined;
  #followings: readonly Following[] = [];
  #cancels: readonly (() => void)[] = [];
  #collecting: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, options: ElectionOptions) {
    this.#context = context;
    this.#leadership = new Leadership(context, {
      ...options,
      name: controllerName,
      onStarted: () => this.#lead(),
      onStopped: () => this.#rest(),
    });
  }

  start(): Promise<void> {
    return this.#leadership.start();
  }

  stop(): Promise<void> {
    return this.#leadership.stop();
  }

  async #lead(): Promise<void> {
    const { clock, observeQueue, log } = this.#context;
    const file = "controllers/leader-election/coordinated-leader-election";
    const queue = new WorkQueue<string>({
      observer: observeQueue?.(controllerName),
      clock,
      work: (key) => this.#elect(key),
      workers: 1,
      onFailure: (lease, error) =>
        log.verbose({ level: 2, file }, "an election will be retried", {
          lease,
          reason: messageOf(error),
        }),
    });
    this.#queue = queue;
    this.#candidates.clear();
    this.#followings = [
      await follow(this.#leaseCandidates, { change: (type, stored) => this.#noteCandidate(type, stored) }),
      await follow(this.#leases, { change: (_type, { key }) => this.#noteLease(key) }),
    ];
    this.#cancels = [
      clock.every(lookIntervalMs, () => {
        for (const key of this.#candidates.keys()) queue.add(key);
      }),
      clock.every(candidateValidMs, () => this.#startCollecting()),
    ];
    this.#startCollecting();
  }

  async #rest(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    for (const following of this.#followings) following.stop();
    await this.#queue?.close();
    await this.#collecting;
  }

  #noteLease(key: string): void {
    if (this.#candidates.has(key)) this.#queue?.add(key);
  }

  #noteCandidate(type: string, stored: StoredObject<LeaseCandidate>): void {
    const { metadata, spec } = stored.decode();
    const { namespace = "", name = "" } = metadata;
    const lease = `${namespace}/${spec.leaseName}`;
    const names = this.#candidates.get(lease) ?? new Set();
    if (type === "DELETED") names.delete(name);
    else names.add(name);
    if (names.size === 0) this.#candidates.delete(lease);
    else this.#candidates.set(lease, names);
    const [pinged, renewed] = [timeOf(spec.pingTime), timeOf(spec.renewTime)];
    // The controller's own ping must not trigger it again before it is answered.
    const isPing = pinged !== undefined && renewed !== undefined && renewed < pinged;
    if (!isPing || type === "DELETED") this.#queue?.add(lease);
  }

  async #elect(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const now = this.#now();
    const candidates: LeaseCandidate[] = [];
    for (const candidate of this.#candidates.get(key) ?? []) {
      const found = (await this.#leaseCandidates.find(namespace, candidate, anyVersion))?.decode();
      if (found?.spec.leaseName === name && !isCandidateExpired(found, now)) candidates.push(found);
    }
    const lease = (await this.#leases.find(namespace, name, anyVersion))?.decode();
    const step = nextStep(candidates, lease, now);
    if (step.kind === "ping") await this.#ping(namespace, step.candidates, microTime(now));
    if (step.kind === "elect") await this.#grant(namespace, name, step);
  }

  async #ping(namespace: string, candidates: readonly LeaseCandidate[], pingTime: string): Promise<void> {
    const write = serverWrite(this.#context, namespace);
    await Promise.all(
      candidates.map(({ metadata: { name = "", uid } }) => {
        const ping = ({ spec }: LeaseCandidate): void => {
          spec.pingTime = pingTime;
        };
        return ignoreNotFoundOrConflict(this.#leaseCandidates.change(write, name, ping, { uid }));
      }),
    );
  }

  async #grant(namespace: string, name: string, elected: Step & { kind: "elect" }): Promise<void> {
    const now = this.#now();
    await this.#leases.update(serverWrite(this.#context, namespace), name, {
      transform: (latest): Lease => {
        if (latest !== undefined) {
          const lease = latest.copy();
          return { ...lease, spec: regranted(lease, elected, now) };
        }
        const { strategy, holder } = elected;
        const spec = { strategy, leaseDurationSeconds, renewTime: microTime(now), holderIdentity: holder };
        return { metadata: { namespace, name }, spec };
      },
      createIfMissing: true,
    });
  }

  #startCollecting(): void {
    this.#collecting = this.#collecting.then(() => this.#collect());
    this.#context.clock.track(this.#collecting);
  }

  /** Deletes expired candidates. */
  async #collect(): Promise<void> {
    try {
      const { items } = await this.#leaseCandidates.list({ prefix: "", at: anyVersion, limit: 0 });
      for (const stored of items) {
        await turnIfRoundIsOver();
        const candidate = stored.decode();
        if (!isCandidateExpired(candidate, this.#now())) continue;
        const { namespace = "", name = "", uid, resourceVersion } = candidate.metadata;
        const write = serverWrite(this.#context, namespace);
        // The precondition protects a candidate that renewed meanwhile.
        const preconditions = { uid, resourceVersion };
        await ignoreNotFoundOrConflict(this.#leaseCandidates.delete(write, name, { preconditions }));
      }
    } catch (error) {
      const context = { level: 2, file: "controllers/leader-election/coordinated-leader-election" };
      this.#context.log.verbose(context, "expired candidates could not be deleted", {
        reason: messageOf(error),
      });
    }
  }

  get #leases() {
    return this.#context.builtin("leases.coordination");
  }

  get #leaseCandidates() {
    return this.#context.builtin("leasecandidates.coordination");
  }

  #now(): number {
    return this.#context.now().getTime();
  }
}

/** A holder that still renews is asked to step down; an expired lease changes hands. */
function regranted(lease: Lease, { strategy, holder }: Step & { kind: "elect" }, now: number): LeaseSpec {
  const spec = { ...lease.spec, strategy };
  if (holder === undefined || holder === spec.holderIdentity) return spec;
  if ((spec.holderIdentity ?? "") !== "" && !isLeaseExpired(lease, now)) {
    return { ...spec, preferredHolder: holder };
  }
  return {
    ...spec,
    preferredHolder: undefined,
    holderIdentity: holder,
    renewTime: microTime(now),
    leaseDurationSeconds,
    acquireTime: undefined,
  };
}
