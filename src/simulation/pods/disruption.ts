import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster } from "./cluster.js";
import { withCondition } from "./conditions.js";
import { isFinished, type PodView } from "./pod-view.js";

export interface Disruption {
  /** Such as `PreemptionByScheduler`, and why in words; without them, nothing tells why the pod is deleted. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Whether no node agent is left that ends the pod: it then has failed, and goes at once. */
  readonly isLost?: boolean | undefined;
}

/** Deletes a pod that its owner wants to keep. From 1.26 on, its status tells why first. */
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
