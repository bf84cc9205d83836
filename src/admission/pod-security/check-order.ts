import type { RunWork } from "../../apimachinery/objects/run-work.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { StoredObject } from "../../storage/object-store.js";

/**
 * The order in which pods of a namespace are checked, without exempt ones: the first pod of each controller and pods without one come
 * before further replicas, which break the same rules. Source: k8s.io/pod-security-admission.
 */
export async function checkOrder(
  stored: readonly StoredObject<Pod>[],
  isExempt: (pod: Pod) => boolean,
  runWork: RunWork,
): Promise<readonly StoredObject<Pod>[]> {
  const first: StoredObject<Pod>[] = [];
  const replicas: StoredObject<Pod>[] = [];
  const controllers = new Set<string>();
  for (const each of stored) {
    await runWork(() => {
      const pod = each.decode();
      if (isExempt(pod)) return;
      const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
      const isReplica = controller !== undefined && controllers.has(controller);
      if (controller !== undefined) controllers.add(controller);
      (isReplica ? replicas : first).push(each);
    });
  }
  return [...first, ...replicas];
}
