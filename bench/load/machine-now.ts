/** Of one clock for all processes of the machine, in milliseconds. */
export function machineNow(): number {
  return performance.timeOrigin + performance.now();
}
