import type { Job, JobCondition, JobStatus } from "../../apis/gen/batch-v1.js";
import { timeText } from "../machinery/times.js";
import { conditionOf } from "../pods/conditions.js";
import type { JobEnd } from "./job-outcome.js";

const announcements = [
  ["SuccessCriteriaMet", true],
  ["FailureTarget", false],
] as const;

/** The announced end of a job, if there is one. */
export function announcedEnd({ conditions }: JobStatus): JobEnd | undefined {
  for (const [type, isComplete] of announcements) {
    const condition = conditionOf(conditions, type);
    if (condition?.status !== "True") continue;
    return { isComplete, reason: condition.reason ?? "", message: condition.message ?? "" };
  }
  return undefined;
}

/** Whether it has ended, successfully or not. */
export function isOver({ status }: Pick<Job, "status">): boolean {
  return endCondition(status) !== undefined;
}

export function endCondition({ conditions }: JobStatus): JobCondition | undefined {
  return conditions?.find(
    ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
  );
}

export function withJobCondition(
  conditions: readonly JobCondition[] | undefined,
  condition: Pick<JobCondition, "type" | "status" | "reason" | "message">,
  now: number,
): JobCondition[] {
  const others = (conditions ?? []).filter(({ type }) => type !== condition.type);
  return [...others, { ...condition, lastProbeTime: timeText(now), lastTransitionTime: timeText(now) }];
}
