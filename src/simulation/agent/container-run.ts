import type { Container, ContainerStatus } from "../../apis/gen/core-v1.js";
import type { ContainerBehaviour, ContainerKind } from "../behaviour/container-behaviour.js";
import { ContainerProbes } from "./container-probes.js";
import {
  printState,
  printTermination,
  type RunState,
  resumedState,
  type Termination,
  terminationOf,
} from "./container-state.js";
import { healthyMs, restartPauseMs } from "./restart-pauses.js";

/** Reports an event of a container, which becomes an event of its pod. */
export type Tell = (type: "Normal" | "Warning", reason: string, message: string) => void;

/**
 * One container of a pod, as its node agent runs it: pulls the image, runs, ends, and restarts after pauses that double. All times are
 * milliseconds of the simulation's clock.
 */
export class ContainerRun {
  readonly container: Container;
  readonly kind: ContainerKind;
  readonly #behaviour: ContainerBehaviour;
  readonly #probes: ContainerProbes;
  #state: RunState = { kind: "created" };
  #last: Termination | undefined;
  #restarts = 0;
  /** Set for a container that was already running: nothing that happened before this moment is reported. */
  #resumedAt = 0;
  /** Crashes since it last ran for a long time; they determine the next pause. */
  #crashes = 0;

  constructor(container: Container, kind: ContainerKind, behaviour: ContainerBehaviour) {
    this.container = container;
    this.kind = kind;
    this.#behaviour = behaviour;
    this.#probes = new ContainerProbes(container, behaviour);
  }

  /** Continues from a stored status, after the server was restarted or the pod's behaviour changed. */
  resume({ state, lastState, restartCount }: ContainerStatus, now: number): void {
    this.#resumedAt = now;
    this.#restarts = restartCount;
    this.#crashes = restartCount;
    this.#last = terminationOf(lastState);
    this.#state = resumedState(state, this.#last, restartPauseMs(this.#crashes));
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

  /** How it ended; undefined if it runs, or will start again. */
  get ended(): Termination | undefined {
    return this.#state.kind === "ended" ? this.#state.last : undefined;
  }

  /** How long it takes to stop; undefined if it must be killed. */
  get stopMs(): number | undefined {
    return this.#behaviour.stopMs;
  }

  /** Pulls the image and starts the container, unless that has begun. */
  begin(now: number, tell: Tell): void {
    if (this.#state.kind === "created") this.#pull(now, 0, tell);
  }

  /** Performs everything that is due; returns when something will be due next. */
  advance(now: number, restarts: (exitCode: number) => boolean, tell: Tell): number | undefined {
    for (;;) {
      const due = this.#dueAt();
      if (due === undefined || due > now) return due;
      this.#step(due, now, restarts, tell);
    }
  }

  /** Stops everything: the pod is over. */
  end(now: number, exitCode: number, reason: string): void {
    if (this.#state.kind === "ended") return;
    const startedAt = this.#state.kind === "running" ? this.#state.startedAt : now;
    this.#state = { kind: "ended", last: { exitCode, reason, startedAt, finishedAt: now } };
  }

  isStarted(now: number): boolean {
    return this.#state.kind === "running" && this.#probes.isStarted(this.#state.startedAt, now);
  }

  isReady(now: number): boolean {
    if (this.kind === "init") return this.ended?.exitCode === 0;
    return this.#state.kind === "running" && this.#probes.isReady(this.#state.startedAt, now);
  }

  status(now: number, waitingReason: string, podUid: string): ContainerStatus {
    const { name, image = "" } = this.container;
    const id = this.hasStarted ? `simulated://${podUid}-${name}-${this.#restarts}` : undefined;
    return {
      name,
      state: printState(this.#state, this.container, { waitingReason, podUid }),
      lastState: this.#last === undefined ? {} : { terminated: printTermination(this.#last, podUid, name) },
      ready: this.isReady(now),
      restartCount: this.#restarts,
      image,
      imageID: this.hasStarted ? `simulated://${image}` : "",
      containerID: id,
      started: this.kind === "init" ? undefined : this.isStarted(now),
    };
  }

  /** When its state will change, whatever the time is now. */
  #dueAt(): number | undefined {
    const state = this.#state;
    switch (state.kind) {
      case "pulling":
      case "unpulled":
      case "backingOff":
        return state.until;
      case "running": {
        const times = [this.#endsAt(state.startedAt), this.#kill(state.startedAt)?.at].filter(
          (at) => at !== undefined,
        );
        return times.length === 0 ? undefined : Math.min(...times);
      }
      default:
        return undefined;
    }
  }

  /** When its readiness will next change while its state stays. */
  readinessDueAt(now: number): number | undefined {
    if (this.#state.kind !== "running" || this.kind === "init") return undefined;
    return this.#probes.dueAt(this.#state.startedAt, now);
  }

  #step(at: number, now: number, restarts: (exitCode: number) => boolean, tell: Tell): void {
    const state = this.#state;
    switch (state.kind) {
      case "pulling":
        this.#pulled(at, tell);
        return;
      case "unpulled":
        this.#retryPull(state, at, tell);
        return;
      case "backingOff":
        this.#restart(Math.max(at, now), tell);
        return;
      case "running":
        this.#finish(state.startedAt, at, restarts, tell);
        return;
      default:
        return;
    }
  }

  /** Ends it, by itself or because a probe failed. */
  #finish(startedAt: number, at: number, restarts: (exitCode: number) => boolean, tell: Tell): void {
    const kill = this.#kill(startedAt);
    const isKilled = kill !== undefined && kill.at <= (this.#endsAt(startedAt) ?? kill.at);
    if (isKilled) {
      const title = kill.probe === "liveness" ? "Liveness" : "Startup";
      tell("Warning", "Unhealthy", `${title} probe failed: simulated`);
      tell("Normal", "Killing", `Container ${this.name} failed ${kill.probe} probe, will be restarted`);
    }
    const exitCode = isKilled ? 137 : (this.#behaviour.ending(this.#restarts)?.exitCode ?? 0);
    const reason = exitCode === 0 ? "Completed" : exitCode === 137 && !isKilled ? "OOMKilled" : "Error";
    const last = { exitCode, reason, startedAt, finishedAt: at };
    if (!restarts(exitCode)) {
      this.#state = { kind: "ended", last };
      return;
    }
    if (at - startedAt >= healthyMs) this.#crashes = 0;
    this.#last = last;
    const pauseMs = restartPauseMs(this.#crashes);
    if (pauseMs === 0) {
      this.#restart(at, tell);
      return;
    }
    tell("Warning", "BackOff", "Back-off restarting failed container");
    this.#state = { kind: "backingOff", pauseMs, until: at + pauseMs, last };
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
    // A real agent takes this long to look at its pods again.
    this.#state = {
      kind: "unpulled",
      error: pullError,
      isBackingOff: false,
      until: at + 1000,
      tries: tries + 1,
    };
  }

  #retryPull(state: RunState & { readonly kind: "unpulled" }, at: number, tell: Tell): void {
    const { tries, isBackingOff } = state;
    if (isBackingOff) {
      this.#pull(at, tries, tell);
      return;
    }
    tell("Normal", "BackOff", `Back-off pulling image "${this.container.image ?? ""}"`);
    tell("Warning", "Failed", "Error: ImagePullBackOff");
    this.#state = { ...state, isBackingOff: true, until: at + restartPauseMs(tries) };
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

  /** When its agent restarts it because of a probe, if ever. */
  #kill(startedAt: number): ReturnType<ContainerProbes["kill"]> {
    const kill = this.#probes.kill(startedAt);
    return kill && { ...kill, at: Math.max(kill.at, this.#resumedAt) };
  }
}
