import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { ageCell, ageColumn, column, nameColumn, sinceCell } from "../../definition/columns.js";
import type { RowCondition, TableColumns } from "../../definition/table-columns.js";
import type { ContainerState, ContainerStatus, Pod } from "../../gen/core-v1.js";
import { isSidecar } from "../pod-spec/containers.js";

export function podColumns(level: ApiLevel): TableColumns<Pod> {
  return {
    columns: [
      nameColumn,
      column("Ready", "string", "Containers that are ready, of all containers."),
      column("Status", "string", "Phase of the pod, or the reason why a container is not running."),
      column("Restarts", "string", "How often containers were restarted, and when that was last."),
      ageColumn,
      column("IP", "string", "First IP address of the pod.", 1),
      column("Node", "string", "Node the pod is scheduled to.", 1),
      column("Nominated Node", "string", "Node that lower-priority pods are leaving for this pod.", 1),
      column("Readiness Gates", "string", "Readiness gates whose condition is true, of all gates.", 1),
    ],
    cells(pod, now) {
      const summary = summarize(pod, level);
      const { restarts, lastRestart } = summary;
      // Before 1.28, a failed init container had a restart time without restarts.
      const isTold = lastRestart !== undefined && (restarts !== 0 || !isAtLeast(level, "1.28"));
      return [
        pod.metadata.name ?? "",
        `${summary.ready}/${(pod.spec.containers?.length ?? 0) + sidecarNames(pod).size}`,
        summary.reason,
        isTold ? `${restarts} (${sinceCell(lastRestart, now)} ago)` : `${restarts}`,
        ageCell(pod, now),
        pod.status.podIPs?.[0]?.ip || "<none>",
        pod.spec.nodeName || "<none>",
        pod.status.nominatedNodeName || "<none>",
        readinessGates(pod),
      ];
    },
    conditions: (pod) => rowConditions[pod.status.phase ?? ""] ?? [],
  };
}

const rowConditions: { readonly [phase: string]: readonly RowCondition[] } = {
  Succeeded: [
    {
      type: "Completed",
      status: "True",
      reason: "Succeeded",
      message: "The pod has completed successfully.",
    },
  ],
  Failed: [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }],
};

interface Restarts {
  restarts: number;
  /** When a container last terminated before a restart. */
  lastRestart: string | undefined;
}

interface Summary extends Restarts {
  reason: string;
  ready: number;
}

function summarize(pod: Pod, level: ApiLevel): Summary {
  const { status, metadata } = pod;
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  const summary: Summary = {
    reason: isGated === true ? "SchedulingGated" : status.reason || (status.phase ?? ""),
    ready: 0,
    restarts: 0,
    lastRestart: undefined,
  };
  const { isDone, sidecars } = summarizeInitialization(pod, summary);
  const isInitialized = isAtLeast(level, "1.28") && isConditionTrue(pod, "Initialized");
  if (isDone || isInitialized) {
    summary.restarts = sidecars.restarts;
    if (isAtLeast(level, "1.28")) summary.lastRestart = sidecars.lastRestart;
    summarizeContainers(pod, summary, level);
  }
  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === "NodeLost") summary.reason = "Unknown";
    // Since 1.31, a finished pod still shows its reason.
    else if (!isAtLeast(level, "1.31") || !hasEnded(pod)) summary.reason = "Terminating";
  }
  return summary;
}

function hasEnded({ status }: Pod): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed";
}

interface Initialization {
  /** Whether all init containers have finished, or are running sidecars. */
  readonly isDone: boolean;
  /** Restarts of the sidecars among them. */
  readonly sidecars: Restarts;
}

function summarizeInitialization(pod: Pod, summary: Summary): Initialization {
  const names = sidecarNames(pod);
  const sidecars: Restarts = { restarts: 0, lastRestart: undefined };
  for (const [index, container] of (pod.status.initContainerStatuses ?? []).entries()) {
    const runsOn = names.has(container.name);
    countRestarts(container, summary);
    if (runsOn) countRestarts(container, sidecars);
    const { terminated, waiting } = container.state;
    if (terminated !== undefined && terminated.exitCode === 0) continue;
    if (runsOn && container.started === true) {
      if (container.ready) summary.ready++;
      continue;
    }
    const waitingFor = waiting?.reason ?? "";
    if (terminated !== undefined) summary.reason = `Init:${terminated.reason || endText(terminated)}`;
    else if (waitingFor !== "" && waitingFor !== "PodInitializing") summary.reason = `Init:${waitingFor}`;
    else summary.reason = `Init:${index}/${pod.spec.initContainers?.length ?? 0}`;
    return { isDone: false, sidecars };
  }
  return { isDone: true, sidecars };
}

function sidecarNames({ spec }: Pod): ReadonlySet<string> {
  return new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
}

function summarizeContainers(pod: Pod, summary: Summary, level: ApiLevel): void {
  let anyRunning = false;
  let failure: string | undefined;
  // From last to first, so that the first container's reason wins.
  for (const container of (pod.status.containerStatuses ?? []).toReversed()) {
    countRestarts(container, summary);
    const { waiting, terminated, running } = container.state;
    if (waiting !== undefined && (waiting.reason ?? "") !== "") summary.reason = waiting.reason ?? "";
    else if (terminated !== undefined) {
      summary.reason = terminated.reason || endText(terminated);
      if (terminated.exitCode !== 0) failure = summary.reason;
    } else if (container.ready && running !== undefined) {
      anyRunning = true;
      summary.ready++;
    }
  }
  if (summary.reason !== "Completed") return;
  if (anyRunning && isConditionTrue(pod, "Ready")) summary.reason = "Running";
  // Since 1.35, a failed container shows even if another one completed.
  else if (failure !== undefined && isAtLeast(level, "1.35")) summary.reason = failure;
  else if (anyRunning) summary.reason = "NotReady";
}

function countRestarts(container: ContainerStatus, counted: Restarts): void {
  counted.restarts += container.restartCount;
  const finishedAt = container.lastState.terminated?.finishedAt;
  if (finishedAt !== undefined && finishedAt > (counted.lastRestart ?? "")) counted.lastRestart = finishedAt;
}

function endText(terminated: NonNullable<ContainerState["terminated"]>): string {
  const signal = terminated.signal ?? 0;
  return signal === 0 ? `ExitCode:${terminated.exitCode}` : `Signal:${signal}`;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  // If there are several conditions of one type, the first counts.
  const conditions = new Map(
    (pod.status.conditions ?? []).toReversed().map(({ type, status }) => [type, status]),
  );
  const ready = gates.filter((gate) => conditions.get(gate.conditionType) === "True");
  return `${ready.length}/${gates.length}`;
}

function isConditionTrue(pod: Pod, type: string): boolean {
  return pod.status.conditions?.find((condition) => condition.type === type)?.status === "True";
}
