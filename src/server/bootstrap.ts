import type { PriorityClass } from "../apis/gen/scheduling-v1.js";
import { systemPriorityClasses } from "../apis/scheduling/system-priority-classes.js";
import type { ControllerContext } from "../controllers/controller.js";
import { createIfMissing } from "../controllers/create-if-missing.js";
import { createSystemNamespace } from "../controllers/system-namespaces.js";
import type { Naming } from "../naming/naming.js";

/** Those that every cluster has. */
export function systemNamespaces(naming: Naming): readonly string[] {
  return ["default", naming.systemNamespace, naming.publicNamespace, naming.nodeLeaseNamespace];
}

export async function bootstrapNamespaces(context: ControllerContext, naming: Naming): Promise<void> {
  await Promise.all(systemNamespaces(naming).map((name) => createSystemNamespace(context, name)));
}

/** The two priority classes of system pods. */
export async function bootstrapPriorityClasses(context: ControllerContext): Promise<void> {
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
