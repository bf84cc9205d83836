import type { Namespace } from "../../apis/gen/core-v1.js";
import type { PriorityClass } from "../../apis/gen/scheduling-v1.js";
import { systemPriorityClasses } from "../../apis/scheduling/system-priority-classes.js";
import type { WritingContext } from "../../controllers/controller.js";
import { createIfMissing } from "../../controllers/create-if-missing.js";
import type { Naming } from "../../naming/naming.js";

/** The namespaces that every cluster has. */
export function systemNamespaces(naming: Naming): readonly Namespace[] {
  const names = ["default", naming.systemNamespace, naming.publicNamespace, naming.nodeLeaseNamespace];
  return names.map((name) => ({
    metadata: { name, labels: { [`${naming.domain}/metadata.name`]: name } },
    spec: {},
    status: {},
  }));
}

export async function bootstrapNamespaces(context: WritingContext, naming: Naming): Promise<void> {
  await Promise.all(
    systemNamespaces(naming).map((namespace) => createIfMissing(context, "namespaces", "", namespace)),
  );
}

/** The two priority classes of system pods. */
export async function bootstrapPriorityClasses(context: WritingContext): Promise<void> {
  await Promise.all(
    systemPriorityClasses.map(({ name, value, description }) => {
      const object: PriorityClass = {
        metadata: { name },
        value,
        description,
        preemptionPolicy: "PreemptLowerPriority",
      };
      return createIfMissing(context, "priorityclasses.scheduling", "", object);
    }),
  );
}
