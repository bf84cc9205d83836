import { isStatus } from "../../apimachinery/errors/status.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { type ControllerContext, serverWrite } from "../controller.js";

const workers = 8;
const pageSize = 500;

/** Deletes every object of a resource; returns how many remain, held by finalizers. */
export async function deleteInstances(
  registry: ResourceRegistry,
  context: ControllerContext,
): Promise<number> {
  let left = 0;
  let after: string | undefined;
  do {
    const page = await registry.list({
      prefix: "",
      at: { kind: "mostRecent" },
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    const queue = page.items.values();
    const work = async (): Promise<void> => {
      for (const { key } of queue) if (!(await deleted(registry, context, key))) left++;
    };
    await Promise.all(Array.from({ length: workers }, work));
    after = page.continueAfter;
  } while (after !== undefined);
  return left;
}

/** Deletes one object. False: finalizers hold it. */
async function deleted(
  registry: ResourceRegistry,
  context: ControllerContext,
  key: string,
): Promise<boolean> {
  const slash = key.indexOf("/");
  const namespace = slash < 0 ? "" : key.slice(0, slash);
  try {
    return (await registry.delete(serverWrite(context, namespace), key.slice(slash + 1), {})).removed;
  } catch (error) {
    if (isStatus(error, "NotFound")) return true;
    throw error;
  }
}
