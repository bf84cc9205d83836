import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "./cluster.js";
import { withCondition } from "./conditions.js";
import { isFinished, type PodView } from "./pod-view.js";

export interface Disruption {
  /**
   * The reason of the DisruptionTarget condition, such as `PreemptionByScheduler`, and its message; without them there is no condition.
   */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Whether no node agent is left to end the pod: it then fails, and is removed at once. */
  readonly isLost?: boolean | undefined;
}

/** Deletes a pod that its owner wants to keep. Since 1.26, its status says why first. */
export async function deleteDisrupted(
  { cluster, writer }: { readonly cluster: Cluster; readonly writer: Writer },
  pod: PodView,
  { reason, message, isLost = false }: Disruption,
): Promise<void> {
  if (cluster.context.isEnabled("PodDisruptionConditions") && (reason !== undefined || isLost)) {
    const now = cluster.now();
    await writer.changePart("pods", pod, ({ metadata, status }) => {
      if (isLost && !isFinished({ phase: status.phase ?? "" })) status.phase = "Failed";
      if (reason === undefined) return;
      const { generation: observedGeneration } = metadata;
      const condition = { type: "DisruptionTarget", status: "True", reason, message, observedGeneration };
      status.conditions = withCondition(status.conditions, condition, now);
    });
  }
  const options: DeleteOptions = isLost ? { gracePeriodSeconds: 0 } : {};
  await writer.delete("pods", pod, options);
}
