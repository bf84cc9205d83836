import { readFileSync } from "node:fs";

/** Of `/proc`, on every Linux that Node.js runs on. */
const ticksPerSecond = 100;

/** User and system time that a process has used so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
