import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { type ServerWriteOptions, serverWrite, type WritingContext } from "./controller.js";

/** Does not change an existing object. */
export async function createIfMissing<R extends BuiltinResource>(
  context: WritingContext,
  of: R,
  namespace: string,
  object: BuiltinObjects[R],
  as?: ServerWriteOptions,
): Promise<void> {
  const registry = context.builtin(of);
  if ((await registry.find(namespace, object.metadata.name ?? "", { kind: "any" })) !== undefined) return;
  try {
    await registry.create(serverWrite(context, namespace, as), object);
  } catch (error) {
    // Another server was faster.
    if (!isStatus(error, "AlreadyExists")) throw error;
  }
}
