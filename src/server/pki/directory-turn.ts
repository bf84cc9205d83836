import { accessSync, constants } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { claimDirectory } from "../../storage/embedded/directory-lock.js";

const pollMs = 20;
/** Another process makes its files in a fraction of a second; one that takes this long has stopped, or is stuck on its disk. */
const patienceMs = 30_000;

/**
 * Resolves when no other process reads or makes the certificates in `directory`; call the result to let the next one. Rejects with an
 * `Error` when another one has had it for half a minute. It does not wait for a directory that cannot be written, where nothing is made.
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
