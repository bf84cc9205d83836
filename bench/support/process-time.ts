import { readdirSync, readFileSync } from "node:fs";

/** User and system time that all threads of a process have used so far, in seconds, from the scheduler's nanoseconds. */
export function cpuSeconds(pid: number): number {
  const folder = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const thread of readdirSync(folder)) {
    nanoseconds += Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e9;
}
