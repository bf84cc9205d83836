import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Dial } from "../remote/remote-client.js";
import type { Address } from "./service-backends.js";

/** Packets to an unrouted service address may vanish, so after this time an endpoint is tried in parallel. */
const headStartMs = 500;

/**
 * Connects to a service's cluster IP or to one of its endpoints, whichever answers first, with a head start for the cluster IP. `isRouted`:
 * it was the cluster IP. Rejects with what is wrong with the cluster IP when neither can be reached.
 */
export async function dialService(
  dial: Dial,
  { clusterIp, endpoint }: { readonly clusterIp: Address; readonly endpoint: Address },
  signal: AbortSignal,
): Promise<{ readonly connection: Duplex; readonly isRouted: boolean }> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const first = dial(clusterIp, either).then((connection) => ({ connection, isRouted: true }));
  const second = Promise.race([
    first.catch(() => undefined),
    delay(headStartMs, undefined, { ref: false }),
  ]).then(async (early) => early ?? { connection: await dial(endpoint, either), isRouted: false });
  const winner = await Promise.any([first, second]).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
  over.abort();
  // Both may have connected.
  for (const dialed of [first, second]) {
    dialed.then(
      ({ connection }) => void (connection === winner.connection || connection.destroy()),
      () => undefined,
    );
  }
  return winner;
}
