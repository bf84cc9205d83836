import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import { type ServerWriteOptions, serverWrite, type WritingContext } from "./controller.js";
import { ignoreAlreadyExists } from "./ignore-errors.js";

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
  await ignoreAlreadyExists(registry.create(serverWrite(context, namespace, as), object));
}
