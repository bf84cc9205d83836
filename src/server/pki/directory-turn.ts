import { accessSync, constants } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { claimDirectory } from "../../storage/embedded/directory-lock.js";

const pollMs = 20;
/** Another process creates its files in a fraction of a second; after this time it has been stopped, or its disk hangs. */
const patienceMs = 30_000;

/**
 * A lock on the certificates in `directory` across processes; call the result to release it. Rejects with an `Error` if another process
 * holds it for half a minute. Does not wait for a read-only directory, where nothing is created.
 */
export async function takeTurn(directory: string): Promise<() => Promise<void>> {
  if (!isWritable(directory)) return async () => undefined;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const release = await claimDirectory(directory, { purpose: "pki", socketFileName: "turn.sock" });
    if (release !== undefined) return release;
    if (performance.now() > deadline) {
      throw new Error(
        `another process has been making certificates in ${directory} for half a minute: end it, and start again`,
      );
    }
    await sleep(pollMs);
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
