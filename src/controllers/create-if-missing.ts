import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { type ControllerContext, controllerUser, controllerWrite } from "./controller.js";

const user = controllerUser("system:apiserver");

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
    await registry.create(controllerWrite(context, user, namespace), object, async () => {});
  } catch (error) {
    // Another server was faster.
    if (!isStatus(error, "AlreadyExists")) throw error;
  }
}
