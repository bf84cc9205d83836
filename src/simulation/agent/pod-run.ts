import { isSidecar } from "../../apis/core/pod-spec/containers.js";
import type { Container, ContainerStatus, Pod, PodStatus } from "../../apis/gen/core-v1.js";
import type { BehaviourRules } from "../behaviour/behaviour-rules.js";
import { type ContainerKind, containerBehaviour } from "../behaviour/container-behaviour.js";
import type { SimulationContext } from "../machinery/simulation-context.js";
import { timeMs, timeText } from "../machinery/times.js";
import { withCondition } from "../pods/conditions.js";
import { ContainerRun } from "./container-run.js";
import { podConditions } from "./pod-conditions.js";

/** Something that happened to a pod, for its events. */
export interface PodNews {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** `spec.containers{app}` */
  readonly fieldPath: string | undefined;
}

export interface PodAddresses {
  readonly hostIp: string;
  readonly podIp: string;
}

export interface PodRunParts extends Pick<SimulationContext, "settings" | "isEnabled"> {
  readonly rules: BehaviourRules;
}

/** A pod on a node, as the node agent sees it: which containers run, and the status to report. */
export class PodRun {
  readonly #initial: readonly ContainerRun[];
  readonly #regular: readonly ContainerRun[];
  /** Added while the pod runs. */
  readonly #ephemeral: ContainerRun[] = [];
  readonly #startedAt: number;
  readonly #parts: PodRunParts;
  readonly #isEnabled: SimulationContext["isEnabled"];
  #over: { readonly reason: string; readonly message: string } | undefined;
  #stoppedAt: number | undefined;

  constructor(pod: Pod, parts: PodRunParts, now: number) {
    const { spec, status } = pod;
    this.#parts = parts;
    this.#isEnabled = parts.isEnabled;
    this.#startedAt = timeMs(status.startTime) ?? now;
    this.#initial = (spec.initContainers ?? []).map((container) =>
      this.#run(pod, container, isSidecar(container) ? "sidecar" : "init", now),
    );
    this.#regular = (spec.containers ?? []).map((container) => this.#run(pod, container, "regular", now));
  }

  /** Continues from the container's status in the pod, if there is one. */
  #run(pod: Pod, container: Container, kind: ContainerKind, now: number): ContainerRun {
    const { settings, rules } = this.#parts;
    const made = new ContainerRun(container, kind, containerBehaviour(pod, container, kind, settings, rules));
    const known = pod.status[places[kind].statuses]?.find(({ name }) => name === container.name);
    if (known !== undefined) made.resume(known, now);
    return made;
  }

  /** Performs and reports everything that is due; returns when something will be due next. */
  advance(pod: Pod, now: number, news: (news: PodNews) => void): number | undefined {
    const deadline = deadlineOf(pod, this.#startedAt);
    if (deadline !== undefined && deadline <= now && this.#over === undefined && !this.#isFinished(pod)) {
      const message = "Pod was active on the node longer than the specified deadline";
      this.#over = { reason: "DeadlineExceeded", message };
      news({ type: "Normal", reason: "DeadlineExceeded", message, fieldPath: undefined });
    }
    if (this.#over !== undefined) {
      for (const run of this.#all()) run.end(now, 137, "Error");
      return undefined;
    }
    const times = this.#initial.length === 0 ? [] : this.#advanceInitial(pod, now, news);
    times.push(...this.#advanceEphemeral(pod, now, news));
    if (this.#isInitialized(now)) {
      for (const run of this.#regular) {
        run.begin(now, tellOf(run, news));
        times.push(run.advance(now, (code) => restarts(pod, code), tellOf(run, news)));
        times.push(run.readinessDueAt(now));
      }
      this.#endOthers(now);
    }
    const due = [...times, deadline].filter((at) => at !== undefined);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  #advanceInitial(pod: Pod, now: number, news: (news: PodNews) => void): (number | undefined)[] {
    const times: (number | undefined)[] = [];
    for (const run of this.#initial) {
      const tell = tellOf(run, news);
      run.begin(now, tell);
      const again = (code: number): boolean =>
        run.kind === "sidecar" || (code !== 0 && pod.spec.restartPolicy !== "Never");
      times.push(run.advance(now, again, tell), run.readinessDueAt(now));
      const isDone = run.kind === "sidecar" ? run.isStarted(now) : run.ended?.exitCode === 0;
      if (!isDone) break;
    }
    return times;
  }

  /** Ephemeral containers run regardless of the others, and only once. */
  #advanceEphemeral(pod: Pod, now: number, news: (news: PodNews) => void): (number | undefined)[] {
    for (const container of pod.spec.ephemeralContainers ?? []) {
      if (this.#ephemeral.some(({ name }) => name === container.name)) continue;
      this.#ephemeral.push(this.#run(pod, container, "ephemeral", now));
    }
    return this.#ephemeral.map((run) => {
      run.begin(now, tellOf(run, news));
      return run.advance(now, () => false, tellOf(run, news));
    });
  }

  /** Stops the remaining containers once the main containers have ended. */
  #endOthers(now: number): void {
    if (this.#regular.some(({ ended }) => ended === undefined)) return;
    for (const run of this.#initial) if (run.kind === "sidecar") run.end(now, 0, "Completed");
    for (const run of this.#ephemeral) run.end(now, 137, "Error");
  }

  #isInitialized(now: number): boolean {
    return this.#initial.every((run) =>
      run.kind === "sidecar" ? run.isStarted(now) || run.ended !== undefined : run.ended?.exitCode === 0,
    );
  }

  #all(): readonly ContainerRun[] {
    return [...this.#initial, ...this.#regular, ...this.#ephemeral];
  }

  /** When a pod that is being deleted will be gone: at the latest `graceMs` after its deletion. */
  stopsAt(now: number, graceMs: number, news: (news: PodNews) => void): number {
    const running = this.#all().filter(({ isRunning }) => isRunning);
    if (running.length === 0) return now;
    if (this.#stoppedAt === undefined) {
      this.#stoppedAt = now;
      for (const run of running) {
        tellOf(run, news)("Normal", "Killing", `Stopping container ${run.name}`);
      }
    }
    const longest = Math.max(...running.map(({ stopMs }) => stopMs ?? Number.POSITIVE_INFINITY));
    return this.#stoppedAt + Math.min(longest, graceMs);
  }

  #isFinished(pod: Pod): boolean {
    const phase = this.#phase(pod);
    return phase === "Succeeded" || phase === "Failed";
  }

  #phase({ spec }: Pod): "Pending" | "Running" | "Succeeded" | "Failed" {
    if (this.#over !== undefined) return "Failed";
    const isNever = spec.restartPolicy === "Never";
    const broken = this.#initial.some(
      ({ kind, ended }) => kind === "init" && ended !== undefined && ended.exitCode !== 0,
    );
    if (broken && isNever) return "Failed";
    const ends = this.#regular.map(({ ended }) => ended);
    if (ends.length > 0 && ends.every((ended) => ended !== undefined)) {
      return ends.every((ended) => ended?.exitCode === 0) ? "Succeeded" : "Failed";
    }
    return this.#regular.every(({ hasStarted }) => hasStarted) ? "Running" : "Pending";
  }

  /** The status that the agent reports. Conditions set by others are kept. */
  status(pod: Pod, addresses: PodAddresses, now: number): PodStatus {
    const uid = pod.metadata.uid ?? "";
    const phase = this.#phase(pod);
    const waiting = this.#initial.length > 0 ? "PodInitializing" : "ContainerCreating";
    const { hostIp, podIp } = addresses;
    const status: PodStatus = {
      ...pod.status,
      phase,
      ...this.#over,
      hostIP: hostIp,
      ...(this.#isEnabled("PodHostIPs") && hostIp !== "" && { hostIPs: [{ ip: hostIp }] }),
      podIP: podIp,
      podIPs: podIp === "" ? undefined : [{ ip: podIp }],
      startTime: timeText(this.#startedAt),
      containerStatuses: this.#regular.map((run) =>
        this.#withResources(run.status(now, waiting, uid), pod.spec.containers),
      ),
    };
    if (this.#initial.length > 0) {
      status.initContainerStatuses = this.#initial.map((run) =>
        this.#withResources(run.status(now, waiting, uid), pod.spec.initContainers),
      );
    }
    if (this.#ephemeral.length > 0) {
      status.ephemeralContainerStatuses = this.#ephemeral.map((run) => ({
        ...run.status(now, "ContainerCreating", uid),
        ready: false,
        started: undefined,
      }));
    }
    const { generation } = pod.metadata;
    const isTracked = this.#isEnabled("PodObservedGenerationTracking") && generation !== undefined;
    const seen = isTracked ? { observedGeneration: generation } : {};
    let conditions = pod.status.conditions;
    const containers = { initial: this.#initial, regular: this.#regular };
    for (const condition of podConditions(pod, phase, containers, now, this.#isEnabled)) {
      conditions = withCondition(conditions, { ...condition, ...seen }, now);
    }
    return { ...status, ...seen, conditions };
  }

  /** Gives a running container its pod's new resources at once, so that pods can be resized in place. */
  #withResources(status: ContainerStatus, containers: readonly Container[] | undefined): ContainerStatus {
    if (status.state?.running === undefined || !this.#isEnabled("InPlacePodVerticalScaling")) return status;
    const { resources = {} } = containers?.find(({ name }) => name === status.name) ?? {};
    const { requests } = resources;
    return { ...status, ...(requests !== undefined && { allocatedResources: requests }), resources };
  }
}

function restarts({ spec }: Pod, exitCode: number): boolean {
  switch (spec.restartPolicy) {
    case "Never":
      return false;
    case "OnFailure":
      return exitCode !== 0;
    default:
      return true;
  }
}

function deadlineOf({ spec }: Pod, startedAt: number): number | undefined {
  const { activeDeadlineSeconds: seconds } = spec;
  return seconds === undefined ? undefined : startedAt + Number(seconds) * 1000;
}

/** The lists of containers in a pod's spec and status. */
const places = {
  init: { containers: "initContainers", statuses: "initContainerStatuses" },
  sidecar: { containers: "initContainers", statuses: "initContainerStatuses" },
  regular: { containers: "containers", statuses: "containerStatuses" },
  ephemeral: { containers: "ephemeralContainers", statuses: "ephemeralContainerStatuses" },
} as const satisfies Record<ContainerKind, object>;

function tellOf({ kind, name }: ContainerRun, news: (news: PodNews) => void) {
  return (type: "Normal" | "Warning", reason: string, message: string): void =>
    news({ type, reason, message, fieldPath: `spec.${places[kind].containers}{${name}}` });
}
