/** Milliseconds of one clock shared by all processes of the machine. */
export function machineNow(): number {
  return performance.timeOrigin + performance.now();
}
