import type { RunWork } from "../../apimachinery/objects/run-work.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { StoredObject } from "../../storage/object-store.js";

/** How many pods are checked between two readings of the clock. */
const podsPerLook = 50;

export interface CheckOrderParts {
  readonly isExempt: (pod: Pod) => boolean;
  readonly runWork: RunWork;
  /** Whether the time for reading pods is over. */
  readonly isOver: () => boolean;
}

export interface CheckOrder {
  readonly pods: readonly StoredObject<Pod>[];
  /** Pods that were not read in time, exempt ones included. */
  readonly unread: number;
}

/**
 * The order in which pods of a namespace are checked, without exempt ones: the first pod of each controller and pods without one come
 * before further replicas, which break the same rules. Source: k8s.io/pod-security-admission.
 */
export async function checkOrder(
  stored: readonly StoredObject<Pod>[],
  { isExempt, runWork, isOver }: CheckOrderParts,
): Promise<CheckOrder> {
  const first: StoredObject<Pod>[] = [];
  const replicas: StoredObject<Pod>[] = [];
  const controllers = new Set<string>();
  let read = 0;
  for (const each of stored) {
    if (read > 0 && read % podsPerLook === 0 && isOver()) break;
    read++;
    await runWork(() => {
      const pod = each.decode();
      if (isExempt(pod)) return;
      const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
      const isReplica = controller !== undefined && controllers.has(controller);
      if (controller !== undefined) controllers.add(controller);
      (isReplica ? replicas : first).push(each);
    });
  }
  return { pods: [...first, ...replicas], unread: stored.length - read };
}
