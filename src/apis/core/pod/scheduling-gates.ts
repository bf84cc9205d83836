import { timestamp } from "../../../apimachinery/values/time.js";
import type { Pod } from "../../gen/core-v1.js";

/** Says of a new pod with gates why it is not scheduled. In place. */
export function addGatedCondition({ spec, status }: Pod, now: Date | undefined): void {
  if ((spec.schedulingGates ?? []).length === 0) return;
  status.conditions = [
    {
      type: "PodScheduled",
      status: "False",
      ...(now !== undefined && { lastTransitionTime: timestamp(now) }),
      reason: "SchedulingGated",
      message: "Scheduling is blocked due to non-empty scheduling gates",
    },
  ];
}
