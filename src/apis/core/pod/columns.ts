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
      const last = summary.lastRestart;
      const restarts = last === undefined ? "" : ` (${sinceCell(last, now)} ago)`;
      return [
        pod.metadata.name ?? "",
        `${summary.ready}/${(pod.spec.containers?.length ?? 0) + sidecarNames(pod).size}`,
        summary.reason,
        `${summary.restarts}${restarts}`,
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

interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  /** When a container last terminated before its restart. */
  lastRestart: string | undefined;
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
  if (!summarizeInitialization(pod, summary)) summarizeContainers(pod, summary);
  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === "NodeLost") summary.reason = "Unknown";
    // Since 1.31 a pod that has ended still tells how.
    else if (!isAtLeast(level, "1.31") || !hasEnded(pod)) summary.reason = "Terminating";
  }
  return summary;
}

function hasEnded({ status }: Pod): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed";
}

/** False when all init containers have finished, or run on as sidecars. */
function summarizeInitialization(pod: Pod, summary: Summary): boolean {
  const sidecars = sidecarNames(pod);
  for (const [index, container] of (pod.status.initContainerStatuses ?? []).entries()) {
    countRestarts(container, summary);
    const { terminated, waiting } = container.state;
    if (terminated !== undefined && terminated.exitCode === 0) continue;
    if (sidecars.has(container.name) && container.started === true) {
      if (container.ready) summary.ready++;
      continue;
    }
    const waitingFor = waiting?.reason ?? "";
    if (terminated !== undefined) summary.reason = `Init:${terminated.reason || endText(terminated)}`;
    else if (waitingFor !== "" && waitingFor !== "PodInitializing") summary.reason = `Init:${waitingFor}`;
    else summary.reason = `Init:${index}/${pod.spec.initContainers?.length ?? 0}`;
    // From then on the restarts of the containers count too.
    return !(sidecars.size > 0 && isConditionTrue(pod, "Initialized"));
  }
  return false;
}

function sidecarNames({ spec }: Pod): ReadonlySet<string> {
  return new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
}

function summarizeContainers(pod: Pod, summary: Summary): void {
  summary.restarts = 0;
  const sidecars = sidecarNames(pod);
  if (sidecars.size > 0) summary.lastRestart = undefined;
  for (const container of pod.status.initContainerStatuses ?? []) {
    if (sidecars.has(container.name)) countRestarts(container, summary);
  }
  let anyRunning = false;
  // From last to first, so that the first container's reason wins.
  for (const container of (pod.status.containerStatuses ?? []).toReversed()) {
    countRestarts(container, summary);
    const { waiting, terminated, running } = container.state;
    if (waiting !== undefined && (waiting.reason ?? "") !== "") summary.reason = waiting.reason ?? "";
    else if (terminated !== undefined) summary.reason = terminated.reason || endText(terminated);
    else if (container.ready && running !== undefined) {
      anyRunning = true;
      summary.ready++;
    }
  }
  if (summary.reason === "Completed" && anyRunning) {
    summary.reason = isConditionTrue(pod, "Ready") ? "Running" : "NotReady";
  }
}

function countRestarts(container: ContainerStatus, summary: Summary): void {
  summary.restarts += container.restartCount;
  const finishedAt = container.lastState.terminated?.finishedAt;
  if (finishedAt !== undefined && finishedAt > (summary.lastRestart ?? "")) summary.lastRestart = finishedAt;
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
