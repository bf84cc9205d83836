import { readdirSync, readFileSync } from "node:fs";

/** User and system time that all threads of a process have used so far, in seconds, from the scheduler's nanoseconds. */
export function cpuSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) nanoseconds += schedulerTimes(pid, thread)[0];
  return nanoseconds / 1e9;
}

/** The part of that time that the main thread used. */
export function mainThreadSeconds(pid: number): number {
  return schedulerTimes(pid, String(pid))[0] / 1e9;
}

/** The same for each of its threads, the main thread first. */
export function threadSeconds(pid: number): readonly number[] {
  const others = readdirSync(`/proc/${pid}/task`).filter((thread) => thread !== String(pid));
  return [String(pid), ...others].map((thread) => schedulerTimes(pid, thread)[0] / 1e9);
}

/** How long the main thread of a process has been runnable while other threads held the processors, in seconds. */
export function waitedSeconds(pid: number): number {
  return schedulerTimes(pid, String(pid))[1] / 1e9;
}

/** Nanoseconds that a thread ran on a processor, and that it waited for one. */
function schedulerTimes(pid: number, thread: string): readonly [running: number, waiting: number] {
  const [running, waiting] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
  return [Number(running), Number(waiting)];
}
