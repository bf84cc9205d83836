import type { Pod, PodCondition } from "../../apis/gen/core-v1.js";
import type { SimulationContext } from "../machinery/simulation-context.js";
import { conditionOf } from "../pods/conditions.js";
import type { ContainerRun } from "./container-run.js";

/** The conditions that a node's agent derives from the pod's containers. */
export function podConditions(
  pod: Pod,
  phase: string,
  {
    initial,
    regular,
  }: { readonly initial: readonly ContainerRun[]; readonly regular: readonly ContainerRun[] },
  now: number,
  isEnabled: SimulationContext["isEnabled"],
): readonly PodCondition[] {
  const isDone = phase === "Succeeded";
  const unready = regular.filter((run) => !run.isReady(now));
  const isReady = unready.length === 0 && phase === "Running";
  const gate = isReady ? closedGate(pod) : undefined;
  const incomplete = initial.filter((run) =>
    run.kind === "sidecar" ? !run.isStarted(now) && run.ended === undefined : run.ended?.exitCode !== 0,
  );
  const completed = isDone ? { reason: "PodCompleted" } : {};
  const why = isDone ? completed : because("ContainersNotReady", "unready", unready);
  const isOver = isDone || phase === "Failed";
  const started: PodCondition = { type: "PodReadyToStartContainers", status: isOver ? "False" : "True" };
  return [
    ...(isEnabled("PodReadyToStartContainersCondition") ? [started] : []),
    incomplete.length === 0
      ? { type: "Initialized", status: "True", ...completed }
      : {
          type: "Initialized",
          status: "False",
          ...because("ContainersNotInitialized", "incomplete", incomplete),
        },
    isReady && gate === undefined
      ? { type: "Ready", status: "True" }
      : { type: "Ready", status: "False", ...(gate ?? why) },
    isReady
      ? { type: "ContainersReady", status: "True" }
      : { type: "ContainersReady", status: "False", ...why },
    { type: "PodScheduled", status: "True" },
  ];
}

function because(reason: string, what: string, runs: readonly ContainerRun[]) {
  return { reason, message: `containers with ${what} status: [${runs.map(({ name }) => name).join(" ")}]` };
}

/** The first readiness gate whose condition others have not set yet. */
function closedGate({
  spec,
  status,
}: Pod): { readonly reason: string; readonly message: string } | undefined {
  for (const { conditionType } of spec.readinessGates ?? []) {
    const condition = conditionOf(status.conditions, conditionType);
    if (condition?.status === "True") continue;
    const message =
      condition === undefined
        ? `corresponding condition of pod readiness gate "${conditionType}" does not exist.`
        : `the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`;
    return { reason: "ReadinessGatesNotReady", message };
  }
  return undefined;
}
