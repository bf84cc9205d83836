import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import { type ServerWriteOptions, serverWrite, type WritingContext } from "./controller.js";
import { unlessThere } from "./needless-writes.js";

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
  await unlessThere(registry.create(serverWrite(context, namespace, as), object));
}
