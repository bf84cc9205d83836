import type { Container, ContainerState, ContainerStatus } from "../../apis/gen/core-v1.js";
import type { ContainerBehaviour, ContainerKind } from "../behaviour/container-behaviour.js";
import { timeMs, timeText } from "../machinery/times.js";

export interface Termination {
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

type State =
  | { readonly kind: "created" }
  | { readonly kind: "pulling"; readonly until: number }
  | {
      readonly kind: "unpulled";
      readonly isBackingOff: boolean;
      readonly until: number;
      readonly tries: number;
    }
  | { readonly kind: "running"; readonly startedAt: number }
  | { readonly kind: "backingOff"; readonly until: number; readonly last: Termination }
  | { readonly kind: "ended"; readonly last: Termination };

/** Tells what happens to a container, as the events of its pod do. */
export type Tell = (type: "Normal" | "Warning", reason: string, message: string) => void;

const firstBackoffMs = 10_000;
const lastBackoffMs = 300_000;
/** A container that ran this long begins with the shortest pause again. */
const healthyMs = 600_000;
/** A probe that fails is not asked for ever whether the container is to be restarted. */
const startupPeriods = 3;

/**
 * One container of a pod, as its node's agent runs it: the image is pulled, it runs, ends, and starts again after pauses that double. All
 * times are milliseconds of the simulation's clock.
 */
export class ContainerRun {
  readonly container: Container;
  readonly kind: ContainerKind;
  readonly #behaviour: ContainerBehaviour;
  #state: State = { kind: "created" };
  #last: Termination | undefined;
  #restarts = 0;
  /** When this began to look after a container that ran already: nothing has happened to it before. */
  #resumedAt = 0;
  /** How often it was in need of a pause, since it last ran for long. */
  #crashes = 0;

  constructor(container: Container, kind: ContainerKind, behaviour: ContainerBehaviour) {
    this.container = container;
    this.kind = kind;
    this.#behaviour = behaviour;
  }

  /** Goes on where a status says that it was: the server was started again, or the pod is to behave in another way. */
  resume({ state, lastState, restartCount }: ContainerStatus, now: number): void {
    this.#resumedAt = now;
    this.#restarts = restartCount;
    this.#crashes = restartCount;
    this.#last = terminationOf(lastState);
    const ended = terminationOf(state);
    if (state.running !== undefined) {
      this.#state = { kind: "running", startedAt: timeMs(state.running.startedAt) ?? 0 };
    } else if (ended !== undefined) this.#state = { kind: "ended", last: ended };
    else if (state.waiting?.reason === "CrashLoopBackOff" && this.#last !== undefined) {
      this.#state = { kind: "backingOff", until: 0, last: this.#last };
    }
  }

  get name(): string {
    return this.container.name;
  }

  get hasStarted(): boolean {
    return (
      this.#state.kind === "running" || this.#state.kind === "ended" || this.#state.kind === "backingOff"
    );
  }

  get isRunning(): boolean {
    return this.#state.kind === "running";
  }

  /** Its end, unless it will start again. */
  get ended(): Termination | undefined {
    return this.#state.kind === "ended" ? this.#state.last : undefined;
  }

  /** How long it takes to stop; undefined for one that must be killed. */
  get stopMs(): number | undefined {
    return this.#behaviour.stopMs;
  }

  /** Pulls the image and starts it, if that has not begun. */
  begin(now: number, tell: Tell): void {
    if (this.#state.kind === "created") this.#pull(now, 0, tell);
  }

  /** Does what is due by now; when something will be due next. */
  advance(now: number, restarts: (exitCode: number) => boolean, tell: Tell): number | undefined {
    for (;;) {
      const due = this.#dueAt();
      if (due === undefined || due > now) return due;
      this.#step(due, now, restarts, tell);
    }
  }

  /** The pod is over: nothing runs any more. */
  end(now: number, exitCode: number, reason: string): void {
    if (this.#state.kind === "ended") return;
    const startedAt = this.#state.kind === "running" ? this.#state.startedAt : now;
    this.#state = { kind: "ended", last: { exitCode, reason, startedAt, finishedAt: now } };
  }

  isStarted(now: number): boolean {
    if (this.#state.kind !== "running") return false;
    const { startupProbe } = this.container;
    if (startupProbe === undefined) return true;
    const failsAfter = this.#behaviour.probeFailsAfterMs("startup");
    const passesAt = this.#state.startedAt + delayOf(startupProbe);
    return passesAt <= now && (failsAfter === undefined || passesAt < this.#state.startedAt + failsAfter);
  }

  isReady(now: number): boolean {
    if (this.kind === "init") return this.ended?.exitCode === 0;
    if (this.#state.kind !== "running" || !this.isStarted(now)) return false;
    const failsAfter = this.#behaviour.probeFailsAfterMs("readiness");
    if (failsAfter !== undefined && now >= this.#state.startedAt + failsAfter) return false;
    return now >= this.#readyAt(this.#state.startedAt);
  }

  status(now: number, waitingReason: string, podUid: string): ContainerStatus {
    const { name, image = "" } = this.container;
    const id = this.hasStarted ? `simulated://${podUid}-${name}-${this.#restarts}` : undefined;
    return {
      name,
      state: this.#printState(waitingReason, podUid),
      lastState: this.#last === undefined ? {} : { terminated: printTermination(this.#last, podUid, name) },
      ready: this.isReady(now),
      restartCount: this.#restarts,
      image,
      imageID: this.hasStarted ? `simulated://${image}` : "",
      containerID: id,
      started: this.kind === "init" ? undefined : this.isStarted(now),
    };
  }

  #printState(waitingReason: string, podUid: string): ContainerState {
    const state = this.#state;
    const { name, image = "" } = this.container;
    switch (state.kind) {
      case "created":
      case "pulling":
        return { waiting: { reason: waitingReason } };
      case "unpulled":
        return state.isBackingOff
          ? { waiting: { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}"` } }
          : { waiting: { reason: "ErrImagePull", message: this.#behaviour.pullError } };
      case "running":
        return { running: { startedAt: timeText(state.startedAt) } };
      case "backingOff":
        return {
          waiting: {
            reason: "CrashLoopBackOff",
            message: `back-off ${backoffMs(this.#crashes) / 1000}s restarting failed container=${name}`,
          },
        };
      case "ended":
        return { terminated: printTermination(state.last, podUid, name) };
    }
  }

  /** When its state will change; `now` has no part in it. */
  #dueAt(): number | undefined {
    const state = this.#state;
    switch (state.kind) {
      case "pulling":
      case "unpulled":
      case "backingOff":
        return state.until;
      case "running": {
        const times = [this.#endsAt(state.startedAt), this.#killedAt(state.startedAt)].filter(
          (at) => at !== undefined,
        );
        return times.length === 0 ? undefined : Math.min(...times);
      }
      default:
        return undefined;
    }
  }

  /** When its readiness will change next, though its state does not. */
  readinessDueAt(now: number): number | undefined {
    if (this.#state.kind !== "running" || this.kind === "init") return undefined;
    const { startedAt } = this.#state;
    const failsAfter = this.#behaviour.probeFailsAfterMs("readiness");
    const { startupProbe } = this.container;
    const times = [
      this.#readyAt(startedAt),
      ...(failsAfter === undefined ? [] : [startedAt + failsAfter]),
      ...(startupProbe === undefined ? [] : [startedAt + delayOf(startupProbe)]),
    ].filter((at) => at > now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #step(at: number, now: number, restarts: (exitCode: number) => boolean, tell: Tell): void {
    const state = this.#state;
    switch (state.kind) {
      case "pulling":
        this.#pulled(at, tell);
        return;
      case "unpulled":
        this.#retryPull(state.tries, state.isBackingOff, at, tell);
        return;
      case "backingOff":
        this.#restart(Math.max(at, now), tell);
        return;
      case "running": {
        const kill = this.#killedAt(state.startedAt);
        const isKilled = kill !== undefined && kill <= (this.#endsAt(state.startedAt) ?? kill);
        if (isKilled) this.#tellKilled(tell);
        const ending = this.#behaviour.ending(this.#restarts);
        const exitCode = isKilled ? 137 : (ending?.exitCode ?? 0);
        const reason = exitCode === 0 ? "Completed" : exitCode === 137 && !isKilled ? "OOMKilled" : "Error";
        const last = { exitCode, reason, startedAt: state.startedAt, finishedAt: at };
        if (!restarts(exitCode)) {
          this.#state = { kind: "ended", last };
          return;
        }
        if (at - state.startedAt >= healthyMs) this.#crashes = 0;
        this.#last = last;
        const pauseMs = backoffMs(this.#crashes);
        if (pauseMs === 0) {
          this.#restart(at, tell);
          return;
        }
        tell("Warning", "BackOff", "Back-off restarting failed container");
        this.#state = { kind: "backingOff", until: at + pauseMs, last };
        return;
      }
      default:
        return;
    }
  }

  #restart(at: number, tell: Tell): void {
    this.#restarts++;
    this.#crashes++;
    this.#start(at, true, tell);
  }

  #pull(at: number, tries: number, tell: Tell): void {
    const { pullMs } = this.#behaviour;
    if (pullMs > 0 || this.#behaviour.pullError !== undefined) {
      tell("Normal", "Pulling", `Pulling image "${this.container.image ?? ""}"`);
    }
    if (tries === 0 && pullMs > 0) this.#state = { kind: "pulling", until: at + pullMs };
    else this.#pulled(at, tell, tries);
  }

  #pulled(at: number, tell: Tell, tries = 0): void {
    const { pullError } = this.#behaviour;
    const { image = "" } = this.container;
    if (pullError === undefined) {
      this.#start(at, false, tell);
      return;
    }
    tell("Warning", "Failed", `Failed to pull image "${image}": ${pullError}`);
    tell("Warning", "Failed", "Error: ErrImagePull");
    // As long as a real agent takes to look at its pods again.
    this.#state = { kind: "unpulled", isBackingOff: false, until: at + 1000, tries: tries + 1 };
  }

  #retryPull(tries: number, isBackingOff: boolean, at: number, tell: Tell): void {
    if (isBackingOff) {
      this.#pull(at, tries, tell);
      return;
    }
    tell("Normal", "BackOff", `Back-off pulling image "${this.container.image ?? ""}"`);
    tell("Warning", "Failed", "Error: ImagePullBackOff");
    this.#state = { kind: "unpulled", isBackingOff: true, until: at + backoffMs(tries), tries };
  }

  #start(at: number, isAgain: boolean, tell: Tell): void {
    const { name, image = "" } = this.container;
    const { pullMs } = this.#behaviour;
    if (isAgain || pullMs === 0) {
      tell("Normal", "Pulled", `Container image "${image}" already present on machine`);
    } else tell("Normal", "Pulled", `Successfully pulled image "${image}" in ${pullMs / 1000}s`);
    tell("Normal", "Created", `Created container ${name}`);
    tell("Normal", "Started", `Started container ${name}`);
    this.#state = { kind: "running", startedAt: at };
  }

  #endsAt(startedAt: number): number | undefined {
    const ending = this.#behaviour.ending(this.#restarts);
    return ending && Math.max(startedAt + ending.afterMs, this.#resumedAt);
  }

  /** When its agent restarts it because of a probe. */
  #killedAt(startedAt: number): number | undefined {
    const times = (["liveness", "startup"] as const).flatMap((probe) => {
      const spec = this.container[`${probe}Probe`];
      const failsAfter = this.#behaviour.probeFailsAfterMs(probe);
      if (spec === undefined || failsAfter === undefined) return [];
      const periods = (spec.failureThreshold ?? startupPeriods) * (spec.periodSeconds ?? 10) * 1000;
      return [startedAt + Math.max(failsAfter, delayOf(spec)) + periods];
    });
    return times.length === 0 ? undefined : Math.max(Math.min(...times), this.#resumedAt);
  }

  #tellKilled(tell: Tell): void {
    const probe = this.#behaviour.probeFailsAfterMs("startup") === undefined ? "liveness" : "startup";
    const title = probe === "liveness" ? "Liveness" : "Startup";
    tell("Warning", "Unhealthy", `${title} probe failed: simulated`);
    tell("Normal", "Killing", `Container ${this.name} failed ${probe} probe, will be restarted`);
  }

  #readyAt(startedAt: number): number {
    const { readinessProbe, startupProbe } = this.container;
    const probed = Math.max(
      readinessProbe === undefined ? 0 : delayOf(readinessProbe),
      startupProbe === undefined ? 0 : delayOf(startupProbe),
    );
    return startedAt + Math.max(probed, this.#behaviour.readyAfterMs);
  }
}

function delayOf({ initialDelaySeconds = 0 }: { initialDelaySeconds?: number | undefined }): number {
  return initialDelaySeconds * 1000;
}

/** The first restart comes at once. */
function backoffMs(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(lastBackoffMs, firstBackoffMs * 2 ** Math.min(crashes - 1, 10));
}

function terminationOf({ terminated }: ContainerState): Termination | undefined {
  if (terminated === undefined) return undefined;
  return {
    exitCode: terminated.exitCode,
    reason: terminated.reason ?? "",
    startedAt: timeMs(terminated.startedAt) ?? 0,
    finishedAt: timeMs(terminated.finishedAt) ?? 0,
  };
}

function printTermination(
  { exitCode, reason, startedAt, finishedAt }: Termination,
  podUid: string,
  name: string,
) {
  return {
    exitCode,
    reason,
    startedAt: timeText(startedAt),
    finishedAt: timeText(finishedAt),
    containerID: `simulated://${podUid}-${name}`,
  };
}
