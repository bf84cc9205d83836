import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { type ControllerContext, controllerUser, controllerWrite } from "../controller.js";
import { ignoreNotFoundOrConflict } from "../ignore-errors.js";

export interface Rewriting {
  /** Objects written after this revision were written by current servers. */
  readonly until: number;
  /** Name of the user who writes. */
  readonly writer: string;
  readonly signal: AbortSignal;
}

/** Objects are read in pages, of which only names are kept. */
const pageSize = 500;

/**
 * Rewrites each object of a resource unchanged. The store only writes it if that changes the bytes: another version, encoding or
 * encryption key. Rejects for an object that cannot be read or is invalid.
 */
export async function rewriteObjects(
  context: Pick<ControllerContext, "now">,
  registry: ResourceRegistry,
  { until, writer, signal }: Rewriting,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await registry.list({ prefix: "", at: { kind: "mostRecent" }, limit: pageSize, after });
    for (const stored of page.items) {
      if (signal.aborted) return;
      if (stored.revision > until) continue;
      const { namespace = "", name = "", uid } = stored.decode().metadata;
      await rewrite(context, registry, { namespace, name, uid, writer });
    }
    after = page.continueAfter;
  } while (after !== undefined);
}

interface Rewritten {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
  readonly writer: string;
}

async function rewrite(
  context: Pick<ControllerContext, "now">,
  registry: ResourceRegistry,
  { namespace, name, uid, writer }: Rewritten,
): Promise<void> {
  const write = controllerWrite(context, controllerUser(writer), namespace);
  // If it was deleted, or replaced under the same name, nothing is left in the old form.
  await ignoreNotFoundOrConflict(registry.change(write, name, () => undefined, { uid }));
}
