import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** The kernel's ID of the calling thread. Undefined on systems other than Linux. */
export function systemThread(): number | undefined {
  try {
    return Number(basename(readlinkSync("/proc/thread-self")));
  } catch {
    return undefined;
  }
}

/** Milliseconds of one tick in `/proc`, on Linux always. */
const tickMs = 10;

/** Milliseconds of processor time that a thread of this process has used (proc(5)). Undefined where the system does not provide it. */
export function processorMsOf(thread: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "latin1");
    // The name of the thread, in parentheses, may contain anything.
    const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(user) + Number(system);
    return Number.isNaN(ticks) ? undefined : ticks * tickMs;
  } catch {
    return undefined;
  }
}
