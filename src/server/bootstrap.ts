import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import type { Namespace } from "../apis/gen/core-v1.js";
import type { PriorityClass } from "../apis/gen/scheduling-v1.js";
import { systemPriorityClasses } from "../apis/scheduling/system-priority-classes.js";
import { type ControllerContext, controllerUser, controllerWrite } from "../controllers/controller.js";
import type { Naming } from "../naming/naming.js";
import { isStatus } from "../registry/generic/storage-status.js";

const bootstrapUser = controllerUser("system:apiserver");

/** The namespaces that every cluster has. */
export async function bootstrapNamespaces(context: ControllerContext, naming: Naming): Promise<void> {
  const names = ["default", naming.systemNamespace, naming.publicNamespace, naming.nodeLeaseNamespace];
  await Promise.all(
    names.map((name) => {
      const namespace: Namespace = { metadata: { name }, spec: {}, status: {} };
      return createIfMissing(context, "namespaces", "", namespace);
    }),
  );
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

/** Does not change an existing object. */
export async function createIfMissing<R extends BuiltinResource>(
  context: ControllerContext,
  of: R,
  namespace: string,
  object: BuiltinObjects[R],
): Promise<void> {
  const registry = context.builtin(of);
  if ((await registry.find(namespace, object.metadata.name ?? "", { kind: "any" })) !== undefined) return;
  try {
    await registry.create(controllerWrite(context, bootstrapUser, namespace), object, async () => {});
  } catch (error) {
    if (!isStatus(error, "AlreadyExists")) throw error;
  }
}
