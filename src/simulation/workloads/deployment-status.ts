import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from "../../apis/gen/apps-v1.js";
import { timeMs, timeText } from "../machinery/times.js";
import { conditionOf, withoutCondition } from "../pods/conditions.js";
import { boundsOf } from "./rollout.js";

/** Sets a condition; one with the same status and reason stays unchanged, with its times. */
export function setDeploymentCondition(
  conditions: readonly DeploymentCondition[] | undefined,
  wanted: Pick<DeploymentCondition, "type" | "status" | "reason" | "message">,
  now: number,
): DeploymentCondition[] {
  const before = conditionOf(conditions, wanted.type);
  if (before?.status === wanted.status && before.reason === wanted.reason) return [...(conditions ?? [])];
  const isSame = before?.status === wanted.status;
  return [
    ...withoutCondition(conditions, wanted.type),
    {
      ...wanted,
      lastUpdateTime: timeText(now),
      lastTransitionTime: isSame ? before.lastTransitionTime : timeText(now),
    },
  ];
}

/** The status that follows from the sets; conditions other than `Available` are kept. */
export function deploymentStatus(
  deployment: Deployment,
  newest: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: number,
): DeploymentStatus {
  const sum = (count: (set: ReplicaSet) => number | undefined) =>
    all.reduce((total, set) => total + (count(set) ?? 0), 0);
  const availableReplicas = sum(({ status }) => status.availableReplicas);
  const { replicas, maxUnavailable } = boundsOf(deployment);
  const isAvailable = availableReplicas >= replicas - maxUnavailable;
  return {
    ...deployment.status,
    observedGeneration: Number(deployment.metadata.generation ?? 0),
    replicas: sum(({ status }) => status.replicas),
    updatedReplicas: newest?.status.replicas ?? 0,
    readyReplicas: sum(({ status }) => status.readyReplicas),
    availableReplicas,
    ...terminatingOf(all),
    unavailableReplicas: Math.max(0, sum(({ spec }) => spec.replicas) - availableReplicas),
    conditions: setDeploymentCondition(
      deployment.status.conditions,
      {
        type: "Available",
        status: isAvailable ? "True" : "False",
        reason: isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        message: isAvailable
          ? "Deployment has minimum availability."
          : "Deployment does not have minimum availability.",
      },
      now,
    ),
  };
}

/** The terminating pods, if the sets count them. */
function terminatingOf(sets: readonly ReplicaSet[]): Pick<DeploymentStatus, "terminatingReplicas"> {
  const counts = sets.map(({ status }) => status.terminatingReplicas).filter((count) => count !== undefined);
  if (counts.length === 0 || counts.length < sets.length) return {};
  return { terminatingReplicas: counts.reduce((sum, count) => sum + count, 0) };
}

export function isComplete({ spec }: Deployment, status: DeploymentStatus): boolean {
  const replicas = spec.replicas ?? 0;
  return (
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas
  );
}

/** Whether there are more new pods, or fewer old ones, than before. */
function isProgressing({ status: before }: Deployment, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus) => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Adds the conditions of a rollout: `Progressing`, and the failure of a set. */
export function rolloutStatus(
  deployment: Deployment,
  status: DeploymentStatus,
  newest: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: number,
): DeploymentStatus {
  const conditions = withProgress(deployment, status, newest, now);
  return { ...status, conditions: withReplicaFailure(conditions, newest, all, now) };
}

/** The conditions with `Progressing` as it is now; a rollout that was complete stays so. */
function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newest: ReplicaSet | undefined,
  now: number,
): DeploymentCondition[] {
  const type = "Progressing";
  const conditions = status.conditions ?? [];
  const deadlineSeconds = deadlineOf(deployment);
  if (deadlineSeconds === undefined) return withoutCondition(conditions, type);
  const reported = conditionOf(deployment.status.conditions, type);
  if (status.replicas === status.updatedReplicas && reported?.reason === "NewReplicaSetAvailable") {
    return conditions;
  }
  const subject =
    newest === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newest.metadata.name}"`;
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`;
    const wanted = { type, status: "True", reason: "NewReplicaSetAvailable", message };
    return setDeploymentCondition(conditions, wanted, now);
  }
  const before = conditionOf(conditions, type);
  if (isProgressing(deployment, status)) {
    // Unlike the others, this condition gets a new time with each step: the deadline counts from the last one.
    const updated = {
      type,
      status: "True",
      lastUpdateTime: timeText(now),
      lastTransitionTime: before?.status === "True" ? before.lastTransitionTime : timeText(now),
      reason: "ReplicaSetUpdated",
      message: `${subject} is progressing.`,
    };
    return [...withoutCondition(conditions, type), updated];
  }
  if (isTimedOut(before, deadlineSeconds, now)) {
    const message = `${subject} has timed out progressing.`;
    const wanted = { type, status: "False", reason: "ProgressDeadlineExceeded", message };
    return setDeploymentCondition(conditions, wanted, now);
  }
  return conditions;
}

/** The conditions with the failure of a set, the newest set's first. */
function withReplicaFailure(
  conditions: readonly DeploymentCondition[],
  newest: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: number,
): DeploymentCondition[] {
  const type = "ReplicaFailure";
  const failure = (newest === undefined ? all : [newest, ...all])
    .map((set) => conditionOf(set.status.conditions, type))
    .find((condition) => condition !== undefined);
  if (failure === undefined) return withoutCondition(conditions, type);
  const { status, reason, message } = failure;
  return setDeploymentCondition(conditions, { type, status, reason, message }, now);
}

/** Whether the rollout is over, whatever happens to its pods later. */
function isSettled({ reason }: DeploymentCondition): boolean {
  return reason === "NewReplicaSetAvailable" || reason === "ProgressDeadlineExceeded";
}

function isTimedOut(
  condition: DeploymentCondition | undefined,
  deadlineSeconds: number,
  now: number,
): boolean {
  if (condition?.reason === "ProgressDeadlineExceeded") return true;
  if (condition === undefined || isSettled(condition)) return false;
  return (timeMs(condition.lastUpdateTime) ?? now) + deadlineSeconds * 1000 <= now;
}

/** When a rollout without progress counts as failed; undefined if it need not be checked again. */
export function stuckAt(deployment: Deployment, status: DeploymentStatus): number | undefined {
  const deadlineSeconds = deadlineOf(deployment);
  const condition = conditionOf(status.conditions, "Progressing");
  if (deadlineSeconds === undefined || condition === undefined) return undefined;
  if (isComplete(deployment, status) || isSettled(condition)) return undefined;
  const since = timeMs(condition.lastUpdateTime);
  return since === undefined ? undefined : since + deadlineSeconds * 1000;
}

/**
 * The deadline in seconds; undefined if it has none, which is also what the largest number means. A deployment without a deadline does not
 * report its progress.
 */
export function deadlineOf({ spec }: Pick<Deployment, "spec">): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec;
  return seconds === undefined || seconds === 2 ** 31 - 1 ? undefined : seconds;
}
