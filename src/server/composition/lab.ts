import type { Lab } from "../../lab/lab.js";
import { prefixEnd } from "../../storage/kv.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { Stores } from "../stores/open-store.js";
import type { ServerIdentity } from "./server-identity.js";

/** What `--lab` gives to tests, loaded only then. */
export async function createLab(
  { options, clock, naming, held }: ApiServerParts,
  { stores, identity }: { readonly stores: Stores; readonly identity: ServerIdentity },
): Promise<Lab | undefined> {
  if (!options.lab) return undefined;
  const [{ Lab: Made }, { MovableClock }] = await Promise.all([
    import("../../lab/lab.js"),
    import("../../time/movable-clock.js"),
  ]);
  if (!(clock instanceof MovableClock) || held === undefined) {
    throw new Error("a lab has a clock that can be moved, and holds revisions");
  }
  const start = stores.path("/");
  // What says that this server is there.
  const addresses = stores.path("/masterleases/");
  const lease = stores.path(`/leases/${naming.systemNamespace}/${identity.name}`);
  return new Made({
    clock,
    snapshots: {
      store: stores.kv,
      range: { start, end: prefixEnd(start) },
      isKept: (key) => key === lease || key.startsWith(addresses),
      leaseSeconds: Math.ceil(options.eventTtlMs / 1000),
      held,
    },
  });
}
